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
  let counts: number[] = [];
  const sink = { add: (count: number) => void counts.push(count) };
  const take = () => {
    const taken = Float64Array.from(counts);
    counts = [];
    return taken;
  };
  const reader = new CsvCounts({ path, tableRows, sink, isPerRow: true });
  for await (const chunk of fileChunks(path, 0, (await stat(path)).size)) {
    reader.chunk(chunk);
    if (counts.length > 0) yield take();
  }
  reader.end();
  if (counts.length > 0) yield take();
}
