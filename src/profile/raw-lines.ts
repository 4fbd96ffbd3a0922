import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../duckdb/open.js";
import { streamRows } from "../duckdb/rows.js";
import { InputError } from "../errors/input-error.js";

/** A character that no text has: what is between it is whole lines. */
export const NO_DELIMITER = "\u0001";

/** A line may be as long as this: a list of about a million ids. */
export const LONGEST_LINE = 8_000_000;

/** The start of a file's pattern that DuckDB takes for that very file. */
export function literalPath(file: string): string {
  return sqlText(file.replace(/[*?[]/g, "[$&]"));
}

/**
 * The lines of a text file, unpacked where its name ends in .gz or .zst, in order and in chunks. They are read as bytes
 * and decoded here: throws `InputError` with the place where a line is not UTF-8.
 */
export async function* rawLines(connection: DuckDBConnection, file: string, most?: number): AsyncGenerator<string[]> {
  const limit = most === undefined ? "" : ` LIMIT ${most}`;
  const sql = `SELECT line FROM read_csv(${literalPath(file)}, columns = {'line': 'VARCHAR'}, auto_detect = false,
    header = false, delim = '${NO_DELIMITER}', quote = '', escape = '', strict_mode = false, encoding = 'latin-1',
    max_line_size = ${LONGEST_LINE}, buffer_size = ${LONGEST_LINE * 4})${limit}`;
  await connection.run("SET preserve_insertion_order = true");
  let number = 1;
  for await (const rows of streamRows(connection, sql)) {
    yield rows.map(([line]) => decode(line === null ? "" : String(line), file, number++));
  }
  await connection.run("SET preserve_insertion_order = false");
}

function decode(latin1: string, file: string, line: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the bytes of ASCII
  if (/^[\x00-\x7f]*$/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, "latin1");
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return line === 1 ? text.replace(/^\uFEFF/, "") : text;
  } catch {
    let good = 0;
    for (let bad = bytes.length; bad - good > 1; ) {
      const middle = (good + bad) >> 1;
      if (isUtf8(bytes.subarray(0, middle))) good = middle;
      else bad = middle;
    }
    const column = bytes.toString("utf8", 0, good).length + 1;
    throw new InputError("expected UTF-8 text, received other bytes; convert the file", file, { line, column });
  }
}

/** Whether bytes are UTF-8 so far: the end may be the beginning of a character. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
