import { type RowRun, type TableFrom, TIERS } from "../../instance/types/row-tiers.js";
import { ChunkReader } from "../chunk-reader.js";
import { runOfRank } from "../run-of-rank.js";
import { countRanks } from "./count-ranks.js";
import { readRowCounts } from "./counts.js";
import { CHUNK_ROWS } from "./row-ranks.js";

/** The number of a tier is its place in `TIERS`; this one is of rows that are new. */
export const NEW_ROW = TIERS.length;

type ByCounts = Extract<TableFrom, { readonly by: "counts" }>;

/**
 * The tier that each row of a table was in, in the order of row ids, in chunks; rows after those of then are new. A chunk
 * belongs to the caller only until it asks for the next one. Throws `InputError` as `readRowCounts` does.
 */
export async function* tiersBefore(table: ByCounts, rows: number): AsyncGenerator<Uint8Array> {
  const { runs, file, samples } = table;
  const codes = new TierCodes(runs);
  let done = 0;
  for await (const ranks of countRanks(() => readRowCounts(file, table.rows), samples, table.rows, file)) {
    const part = ranks.subarray(0, Math.max(0, rows - done));
    const tiers = new Uint8Array(part.length);
    for (let k = 0; k < part.length; k++) tiers[k] = codes.at(part[k] as number);
    done += part.length;
    if (part.length > 0) yield tiers;
    if (done >= rows) return;
  }
  for (; done < rows; done += CHUNK_ROWS) yield new Uint8Array(Math.min(CHUNK_ROWS, rows - done)).fill(NEW_ROW);
}

/** The number of the tier of each rank, by a plan's runs. */
export class TierCodes {
  readonly #ends: Float64Array;
  readonly #codes: readonly number[];

  constructor(runs: readonly RowRun[]) {
    this.#ends = new Float64Array(runs.length);
    let sum = 0;
    runs.forEach((run, k) => {
      sum += run.rows;
      this.#ends[k] = sum;
    });
    this.#codes = runs.map(({ tier }) => TIERS.indexOf(tier));
  }

  at(rank: number): number {
    return this.#codes[runOfRank(this.#ends, rank)] as number;
  }
}

/** Numbers of a table's rows beside the tiers that the rows were in; after the end of the first they are 0. */
export async function* groupedCounts(
  counts: AsyncIterable<Float64Array>,
  tiers: AsyncIterable<Uint8Array>,
  rows: number,
): AsyncGenerator<{ readonly counts: Float64Array; readonly groups: Uint8Array }> {
  const reader = new ChunkReader(tiers);
  const take = async (length: number) => {
    const groups = await reader.take(length);
    if (groups.length < length) throw new RangeError(`${length - groups.length} rows are missing`);
    return groups;
  };
  let done = 0;
  try {
    for await (const chunk of counts) {
      yield { counts: chunk, groups: await take(chunk.length) };
      done += chunk.length;
    }
    for (; done < rows; done += CHUNK_ROWS) {
      const missing = Math.min(CHUNK_ROWS, rows - done);
      yield { counts: new Float64Array(missing), groups: await take(missing) };
    }
  } finally {
    await reader.close();
  }
}
