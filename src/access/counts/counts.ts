import type { CountsAccess } from "../../instance/access.js";
import { resolveBeside } from "../../instance/load.js";
import type { RowClasses } from "../row-classes.js";
import { readCsvCounts } from "./csv.js";
import { countsFailure, countsFormat, requireSome } from "./format.js";
import { readNpyCounts } from "./npy/read.js";
import { readParquetCounts } from "./parquet.js";

const READERS = { csv: readCsvCounts, npy: readNpyCounts, parquet: readParquetCounts } as const;

/**
 * Each row's count of accesses over the number of samples. A file with fewer rows than the table is a table whose other
 * rows are never read; one with more, or with none, is an error.
 *
 * `instanceFile` is what the path is relative to. Throws `InputError` when the file cannot be read or is malformed.
 */
export async function countsClasses(access: CountsAccess, rows: number, instanceFile: string): Promise<RowClasses> {
  const path = resolveBeside(instanceFile, access.file);
  try {
    const tally = await READERS[countsFormat(path)](path, rows);
    requireSome(tally.rows, rows, path);
    return tally.classes(rows, access.samples);
  } catch (error) {
    throw countsFailure(error, path);
  }
}
