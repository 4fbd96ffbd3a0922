import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { logFiles, logFormat } from "./log-files.js";
import type { Log } from "./opened-log.js";
import type { LogOptions } from "./options.js";
import { openParquetLog } from "./parquet-log.js";
import { openTextLog } from "./text-log.js";

/** Throws `InputError` when files or columns are not there, or the options do not go together; `folder` is for copies. */
export async function openLog(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: LogOptions,
  folder: string,
): Promise<Log> {
  const files = await logFiles(connection, patterns);
  if (logFormat(files, options.format) === "text") return openTextLog(connection, files, options, folder);
  if (options.encoding !== undefined) {
    throw new InputError("expected text beside --encoding, received Parquet, whose texts are UTF-8", files[0]);
  }
  return openParquetLog(connection, files, options);
}
