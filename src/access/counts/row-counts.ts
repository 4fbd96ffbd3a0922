import { csvRowCounts } from "./csv.js";
import { countsFailure, countsFormat, requireSome } from "./format.js";
import { npyRowCounts } from "./npy/read.js";
import { parquetRowCounts } from "./parquet.js";

const READERS = { csv: csvRowCounts, npy: npyRowCounts, parquet: parquetRowCounts } as const;

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
    for await (const counts of READERS[countsFormat(path)](path, tableRows)) {
      rows += counts.length;
      yield counts;
    }
  } catch (error) {
    throw countsFailure(error, path);
  }
  requireSome(rows, tableRows, path);
}
