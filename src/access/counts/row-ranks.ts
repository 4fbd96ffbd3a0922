/** What the order of a table's rows by access comes from; `identity`: row ids are taken to be ranks already. */
export type RankSource = "counts" | "rank-file" | "identity";

/**
 * The ranks (0 is the hottest row) of a table's rows, in the order of row ids 0, 1, …, in chunks. Together they are a
 * permutation of 0 … rows − 1. A chunk belongs to the caller only until it asks for the next one.
 */
export type RowRanks = AsyncIterable<Float64Array>;

/** Rows of one chunk, at most. */
export const CHUNK_ROWS = 1 << 16;

/** Row 0 is the hottest, and so on. */
export async function* identityRanks(rows: number): AsyncGenerator<Float64Array> {
  yield* ranksFrom(0, rows);
}

/** The ranks first … end − 1 in rising order. */
export function* ranksFrom(first: number, end: number): Generator<Float64Array> {
  const chunk = new Float64Array(Math.min(CHUNK_ROWS, Math.max(0, end - first)));
  for (let start = first; start < end; start += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, end - start));
    for (let k = 0; k < part.length; k++) part[k] = start + k;
    yield part;
  }
}
