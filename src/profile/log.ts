import type { DuckDBConnection } from "@duckdb/node-api";
import { literalPath, sqlText } from "../access/duckdb/open.js";
import { type CsvLayout, csvLayout, findFault } from "./csv-layout.js";
import { listSql } from "./ids.js";
import { type ListedFiles, logFiles } from "./log-files.js";
import type { Log, LogOptions } from "./options.js";
import { openParquetLog } from "./parquet-log.js";
import { LONGEST_LINE, type LogFile } from "./raw-lines.js";
import { wholeSql } from "./whole-numbers.js";

/** Throws `InputError` when files or columns are not there, or the options do not go together; `folder` is for copies. */
export async function openLog(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: LogOptions,
  folder: string,
): Promise<Log> {
  return openFiles(connection, await logFiles(connection, patterns, options, folder), options);
}

/** The same, of files that are known. */
export function openFiles(
  connection: DuckDBConnection,
  { isText, files }: ListedFiles,
  options: LogOptions,
): Promise<Log> {
  return (isText ? openTextLog : openParquetLog)(connection, files, options);
}

/**
 * A log in text files. Their first lines say how they are written; those of the first file count.
 */
async function openTextLog(connection: DuckDBConnection, files: readonly LogFile[], options: LogOptions): Promise<Log> {
  const layout = await csvLayout(connection, files[0] as LogFile, options);
  // Headers that differ would put columns under wrong names; a file alone cannot differ.
  for (const file of files.slice(1)) await requireSameHeader(connection, file, layout);
  return logOf(connection, files, layout, (strict) => {
    return `${rowOf(`c${layout.row}`, layout)}${besideRow(layout)} FROM ${readCsv(files, layout, strict)}`;
  });
}

/** A log of a column of text files, from what stands behind SELECT. */
export function logOf(
  connection: DuckDBConnection,
  files: readonly LogFile[],
  layout: CsvLayout,
  select: (strict: boolean) => string,
): Log {
  return {
    files: files.map(({ name }) => name),
    from: (strict) => `(SELECT ${select(strict)}) AS log`,
    list: layout.isList ? "text" : undefined,
    hasSample: layout.sample !== undefined,
    hasWeight: layout.weight !== undefined,
    ids: layout.isInteger ? "integers" : "texts",
    findFault: () => findFault(connection, files, layout),
  };
}

/** The row ids, or lists of them, of a column of texts. */
export function rowOf(column: string, layout: CsvLayout): string {
  return `${layout.isList ? listSql(column, layout) : column} AS "row"`;
}

/** The columns `table`, `sample` and `weight`, where there are such, to stand behind another one. */
export function besideRow({ table, sample, weight }: CsvLayout): string {
  const selected: string[] = [];
  if (table !== undefined) selected.push(`nullif(c${table}, '') AS "table"`);
  if (sample !== undefined) selected.push(`nullif(c${sample}, '') AS "sample"`);
  if (weight !== undefined) selected.push(`${wholeSql(`c${weight}`, true)} AS "weight"`);
  return selected.map((one) => `, ${one}`).join("");
}

/** What stands behind FROM: columns `c0`, `c1`, … of texts. */
export function readCsv(files: readonly LogFile[], layout: CsvLayout, strict: boolean): string {
  const { columns, delimiter, isQuoted, hasHeader, missing } = layout;
  const names = Array.from({ length: columns }, (_, k) => `'c${k}': 'VARCHAR'`).join(", ");
  const quote = isQuoted ? `'"'` : "''";
  return `read_csv([${files.map(({ path }) => literalPath(path)).join(", ")}], columns = {${names}},
    auto_detect = false, header = ${hasHeader}, delim = ${sqlText(delimiter)}, quote = ${quote}, escape = ${quote},
    nullstr = [${["", ...missing].map(sqlText).join(", ")}], allow_quoted_nulls = false, hive_partitioning = false, strict_mode = ${strict}, max_line_size = ${LONGEST_LINE}, buffer_size = ${LONGEST_LINE * 4})`;
}

/** Throws `InputError` for a file whose header is not that of the first. */
export async function requireSameHeader(connection: DuckDBConnection, file: LogFile, layout: CsvLayout): Promise<void> {
  if (layout.hasHeader) await findFault(connection, [file], layout, 1);
}
