import type { DuckDBConnection } from "@duckdb/node-api";
import { type ListedFiles, logFiles } from "./log-files.js";
import type { Log, LogOptions } from "./options.js";
import { openParquetLog } from "./parquet-log.js";
import { openTextLog } from "./text-log.js";

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
