import { stat } from "node:fs/promises";
import { fileChunks } from "../../instance/file-chunks.js";
import { CsvCounts } from "./csv-lines.js";
import { CountTally } from "./tally.js";

/**
 * Counts of accesses from text: one count per line, or a histogram (see {@link CsvCounts}). Reads in chunks.
 *
 * Throws `InputError` with the line for anything else, and where there are more rows than `tableRows`.
 */
export async function readCsvCounts(path: string, tableRows: number): Promise<CountTally> {
  const tally = new CountTally();
  const reader = new CsvCounts({ path, tableRows, sink: tally });
  for await (const chunk of fileChunks(path, 0, (await stat(path)).size)) reader.chunk(chunk);
  reader.end();
  return tally;
}

/** The counts themselves, one per line. Throws as {@link readCsvCounts} does, and for a histogram. */
export async function* csvRowCounts(path: string, tableRows: number): AsyncGenerator<Float64Array> {
  const rows = new RowsInOrder();
  const reader = new CsvCounts({ path, tableRows, sink: rows, isPerRow: true });
  for await (const chunk of fileChunks(path, 0, (await stat(path)).size)) {
    reader.chunk(chunk);
    if (rows.length > 0) yield rows.take();
  }
  reader.end();
  if (rows.length > 0) yield rows.take();
}

/** The counts of one chunk. */
class RowsInOrder {
  #counts = new Float64Array(1 << 16);
  length = 0;

  add(count: number): void {
    if (this.length === this.#counts.length) {
      const grown = new Float64Array(this.length * 2);
      grown.set(this.#counts);
      this.#counts = grown;
    }
    this.#counts[this.length++] = count;
  }

  take(): Float64Array {
    const { length } = this;
    this.length = 0;
    return this.#counts.subarray(0, length);
  }
}
