import { createReadStream } from "node:fs";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";

/**
 * Calls `each` with every line of a text file and its number, from 1; memory is that of one line. A line feed at the end
 * ends the last line and begins none. Throws `InputError` when the file cannot be read or is not UTF-8.
 */
export async function eachLine(
  file: string,
  what: string,
  each: (line: string, number: number) => void,
): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let number = 0;
  const take = (text: string): void => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) each(line.endsWith("\r") ? line.slice(0, -1) : line, ++number);
  };
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
      take(decoder.decode(chunk as Buffer, { stream: true }));
    }
    take(decoder.decode());
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new InputError("expected UTF-8 text, received other bytes", file, { line: number + 1, column: 1 });
    }
    if (code === undefined) throw error;
    throw fileError(error, file, `${what} that can be read`);
  }
  if (rest !== "") each(rest.endsWith("\r") ? rest.slice(0, -1) : rest, number + 1);
}
