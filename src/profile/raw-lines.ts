import type { DuckDBConnection } from "@duckdb/node-api";
import { literalPath } from "../access/duckdb/open.js";
import { streamRows } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { decodedText, LINE_END } from "./decoded-text.js";

/** A character that no text has: what is between it is whole lines. */
export const NO_DELIMITER = "\u0001";

/** A line may be as long as this: a list of about a million ids. */
export const LONGEST_LINE = 8_000_000;

/** A file of a log: the name to call it by, and where it is to be read: text in UTF-8, or Parquet. */
export interface LogFile {
  readonly name: string;
  readonly path: string;
}

/**
 * The lines of a text file, unpacked where its name ends in .gz or .zst, in order and in chunks. Throws `InputError` with
 * the place where a line is not UTF-8, or longer than {@link LONGEST_LINE}.
 */
export async function* rawLines(connection: DuckDBConnection, file: LogFile, most?: number): AsyncGenerator<string[]> {
  let left = most ?? Number.POSITIVE_INFINITY;
  for await (const lines of isZstandard(file.path) ? databaseLines(connection, file, most) : linesOf(file)) {
    yield lines.slice(0, left);
    left -= lines.length;
    if (left <= 0) return;
  }
}

/** Node unpacks no Zstandard before version 22. */
export function isZstandard(path: string): boolean {
  return /\.zst$/i.test(path);
}

async function* linesOf({ name, path }: LogFile): AsyncGenerator<string[]> {
  let rest = "";
  let number = 1;
  for await (const text of decodedText(path)) {
    rest += text;
    // The second half of a line's end may be in the next piece.
    const end = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(LINE_END);
    rest = `${lines.pop()}${rest.slice(end)}`;
    number += lines.length;
    if (rest.length > LONGEST_LINE) {
      throw new InputError(`expected lines of at most ${LONGEST_LINE} characters, received a longer one`, name, {
        line: number,
        column: 1,
      });
    }
    yield lines;
  }
  if (rest !== "") yield [rest.replace(/\r$/, "")];
}

async function* databaseLines(
  connection: DuckDBConnection,
  { path }: LogFile,
  most: number | undefined,
): AsyncGenerator<string[]> {
  const limit = most === undefined ? "" : ` LIMIT ${most}`;
  const sql = `SELECT line FROM read_csv(${literalPath(path)}, columns = {'line': 'VARCHAR'}, auto_detect = false, hive_partitioning = false,
    header = false, delim = '${NO_DELIMITER}', quote = '', escape = '', strict_mode = false,
    max_line_size = ${LONGEST_LINE}, buffer_size = ${LONGEST_LINE * 4})${limit}`;
  await connection.run("SET preserve_insertion_order = true");
  for await (const rows of streamRows(connection, sql)) {
    yield rows.map(([line]) => (line === null ? "" : String(line)));
  }
  await connection.run("SET preserve_insertion_order = false");
}
