import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { logFiles, logFormat } from "./log-files.js";
import type { ProfileOptions } from "./options.js";
import { openParquetLog } from "./parquet-log.js";
import { openTextLog } from "./text-log.js";

/** A log whose files and columns are known, ready for SQL. */
export interface Log {
  readonly files: readonly string[];
  /**
   * What stands behind FROM: a query with the columns `row`, and `sample` and `weight` where the log has them. `strict`
   * is off where lines end in two ways, which is checked to be all that is wrong with them.
   */
  readonly from: (strict: boolean) => string;
  readonly list: "array" | "text" | undefined;
  readonly hasSample: boolean;
  readonly hasWeight: boolean;
  /** Of the ids: integers in type; texts that must be integers; texts; texts that are integers if all of them are. */
  readonly ids: "native" | "integers" | "texts" | "either";
  /** Throws `InputError` for the first thing that is wrong in the log; returns when nothing is found. */
  readonly findFault: () => Promise<void>;
}

/** Throws `InputError` when files or columns are not there, or the options do not go together; `folder` is for copies. */
export async function openLog(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: ProfileOptions,
  folder: string,
): Promise<Log> {
  const files = await logFiles(connection, patterns);
  if (logFormat(files, options.format) === "text") return openTextLog(connection, files, options, folder);
  if (options.encoding !== undefined) {
    throw new InputError("expected text beside --encoding, received Parquet, whose texts are UTF-8", files[0]);
  }
  return openParquetLog(connection, files, options);
}
