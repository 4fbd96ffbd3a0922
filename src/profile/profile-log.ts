import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../errors/input-error.js";
import { counted, countSamples } from "./counted.js";
import { openLog } from "./log.js";
import type { ProfileOptions } from "./options.js";
import type { Profile } from "./profile.js";
import { watched, withSession } from "./session.js";

/**
 * How often each row is read, from a log of accesses: one access per line (columns for the row, the sample and perhaps a
 * weight), or one sample per line with the list of its row ids. Files are text (CSV, TSV, also packed) or Parquet;
 * patterns stand for many. DuckDB does the work, on disk what memory does not hold.
 *
 * Throws `InputError`, with file, line and column where there is one, for a log that cannot be read or is malformed, for
 * options that do not fit it, and without DuckDB; what `signal` was aborted with, when it was.
 */
export async function profileLog(patterns: readonly string[], options: ProfileOptions = {}): Promise<Profile> {
  return withSession(options, (connection, folder) => profileWith(connection, patterns, options, folder));
}

async function profileWith(
  connection: DuckDBConnection,
  patterns: readonly string[],
  options: ProfileOptions,
  folder: string,
) {
  const log = await openLog(connection, patterns, options, folder);
  const { samples: given, rows, rankFile } = options;
  if (given === undefined && !log.hasSample && log.list === undefined) {
    const message =
      "expected --sample COLUMN or --samples N, received neither: lines that are one access each do not say how many samples there are";
    throw new InputError(message, log.files[0]);
  }
  if (log.list !== undefined && log.hasWeight) {
    throw new InputError("expected --weight beside one row id per line, received it beside lists of ids", log.files[0]);
  }
  const samplesOf = async (strict: boolean) =>
    given ?? watched(connection, options, "samples", () => countSamples(connection, log, strict));
  const found = await counted(connection, log, options, { samplesOf, tableRows: rows, rankFile });
  if (found === null) throw new InputError("expected accesses, received a log without any", log.files[0]);
  return found.profile;
}
