import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import type { CountsAccess } from "../../instance/access.js";
import { resolveBeside } from "../../instance/load.js";
import type { RowClasses } from "../row-classes.js";
import { csvRowCounts, readCsvCounts } from "./csv.js";
import { npyRowCounts, readNpyCounts } from "./npy/read.js";
import { parquetRowCounts, readParquetCounts } from "./parquet.js";

/** By the ending of a file's name: how its counts are tallied, and read in the order of the rows. */
const READERS = {
  csv: { tally: readCsvCounts, rows: csvRowCounts },
  npy: { tally: readNpyCounts, rows: npyRowCounts },
  parquet: { tally: readParquetCounts, rows: parquetRowCounts },
} as const;

/**
 * Each row's count of accesses over the number of samples. A file with fewer rows than the table is a table whose other
 * rows are never read; one with more, or with none, is an error.
 *
 * `instanceFile` is what the path is relative to. Throws `InputError` when the file cannot be read or is malformed.
 */
export async function countsClasses(access: CountsAccess, rows: number, instanceFile: string): Promise<RowClasses> {
  const path = resolveBeside(instanceFile, access.file);
  try {
    const tally = await readersOf(path).tally(path, rows);
    requireSome(tally.rows, rows, path);
    return tally.classes(rows, access.samples);
  } catch (error) {
    throw countsFailure(error, path);
  }
}

/**
 * The count of each row of a table from a counts file, in the order of the rows' ids (0, 1, …), in chunks of some
 * thousands. A file with fewer counts than the table has rows ends early: the rows after it are never read. Memory is
 * that of a few chunks. A chunk belongs to the caller only until it asks for the next one.
 *
 * A `.csv` file has one count per line; the histogram form has no order of rows and is refused. A `.parquet` file has one
 * column of counts, in the order of the file, or counts beside a column of row ids, each of 0 … rows − 1 at most once.
 *
 * `path` is the file's own (see `resolveBeside` for one that an instance names). Throws `InputError`, on the first step
 * or a later one, when the file cannot be read, is malformed, is empty, or has more rows than `tableRows`.
 */
export async function* readRowCounts(path: string, tableRows: number): AsyncGenerator<Float64Array> {
  let rows = 0;
  try {
    for await (const counts of readersOf(path).rows(path, tableRows)) {
      rows += counts.length;
      yield counts;
    }
  } catch (error) {
    throw countsFailure(error, path);
  }
  requireSome(rows, tableRows, path);
}

/** By the file's name. Throws `InputError` for another one. */
function readersOf(path: string): (typeof READERS)[keyof typeof READERS] {
  const found = Object.entries(READERS).find(([name]) => path.toLowerCase().endsWith(`.${name}`));
  if (found !== undefined) return found[1];
  throw new InputError("expected a .csv, .npy or .parquet file of counts; convert it to one of these", path);
}

/** A file cut short to nothing is a mistake; rows that were never read are left out by many exports. */
function requireSome(rows: number, tableRows: number, path: string): void {
  if (rows > 0) return;
  throw new InputError(`expected counts of up to ${tableRows} rows, received an empty file`, path);
}

/** An error of the file system as an `InputError`; any other as it is. */
function countsFailure(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof InputError || code === undefined) return error;
  return fileError(error, path, "a file of counts that can be read", { advice: "check the path" });
}
