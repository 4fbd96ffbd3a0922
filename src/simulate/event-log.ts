import { createReadStream } from "node:fs";
import { fileError } from "../errors/file-error.js";
import { InputError, type Place } from "../errors/input-error.js";

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

/** What takes the events of a log, sample by sample. */
export interface EventReader {
  /** The place is that in a text; of a log whose lines are sorted there is none. */
  lookup(id: string, place?: Place): void;
  /** After the last lookup of every sample. */
  endSample(): void;
}

/**
 * Reads a log of lookups in one of two forms, told apart by a comma in the first line:
 *
 * - a sample per line: row ids with spaces between them; an empty line is a sample without lookups;
 * - a lookup per line: `sample,row`, after an optional header with these two words. The lines of a sample stand
 *   together: a change of the first field begins the next sample.
 *
 * Throws `InputError` with the place for anything else, and when the file cannot be read.
 */
export async function readEvents(file: string, reader: EventReader): Promise<void> {
  let isCsv = false;
  let sample: string | null = null;
  await eachLine(file, "a log", (line, number) => {
    if (number === 1) {
      isCsv = line.includes(",");
      if (/^\s*sample\s*,\s*row\s*$/i.test(line)) return;
    }
    if (!isCsv) return readSample(line, number, reader, file);
    const fields = line.split(",");
    const [key, id] = fields.map((field) => field.trim());
    if (fields.length !== 2 || key === undefined || id === undefined || key === "" || id === "") {
      const received = line.trim() === "" ? "an empty line" : JSON.stringify(line);
      throw new InputError(`expected sample,row, received ${received}`, file, { line: number, column: 1 });
    }
    if (sample !== null && key !== sample) reader.endSample();
    sample = key;
    reader.lookup(id, { line: number, column: line.indexOf(",") + 2 });
  });
  if (sample !== null) reader.endSample();
}

function readSample(line: string, number: number, reader: EventReader, file: string): void {
  const comma = line.indexOf(",");
  if (comma !== -1) {
    const advice = "a log has one form throughout";
    throw new InputError(`expected row ids with spaces between them, received a comma; ${advice}`, file, {
      line: number,
      column: comma + 1,
    });
  }
  for (const match of line.matchAll(/\S+/g)) reader.lookup(match[0], { line: number, column: match.index + 1 });
  reader.endSample();
}
