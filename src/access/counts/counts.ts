import { InputError } from "../../errors/input-error.js";
import type { CountsAccess } from "../../instance/instance.js";
import { resolveBeside } from "../../instance/load.js";
import type { RowClasses } from "../row-classes.js";
import { readCsvCounts } from "./csv.js";
import { readNpyCounts } from "./npy.js";

/**
 * Each row's count of accesses over the number of samples. A file with fewer rows than the table is a table whose other
 * rows are never read; one with more, or with none, is an error.
 *
 * `instanceFile` is what the path is relative to. Throws `InputError` when the file cannot be read or is malformed.
 */
export async function countsClasses(access: CountsAccess, rows: number, instanceFile: string): Promise<RowClasses> {
  const path = resolveBeside(instanceFile, access.file);
  const lower = path.toLowerCase();
  const read = lower.endsWith(".csv") ? readCsvCounts : lower.endsWith(".npy") ? readNpyCounts : undefined;
  if (!read) throw new InputError("expected a .csv or .npy file of counts; convert it to one of these", path);
  try {
    const tally = await read(path, rows);
    // A file cut short to nothing is a mistake; rows that were never read are left out by many exports.
    if (tally.rows === 0) throw new InputError(`expected counts of up to ${rows} rows, received an empty file`, path);
    return tally.classes(rows, access.samples);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new InputError(`expected a file of counts that can be read, received ${code}; check the path`, path);
  }
}
