import { BINS, type NetworkTable } from "../../src/cost/neural/features.js";
import type { Random } from "../../src/exact/random.js";

/** Samples of the batch that the bins of published tables are from (AutoShard, table 1). */
const PUBLISHED_BATCH = 65_536;

/** Coprime to every number of rows that is not its multiple: spreads neighbours over the table. */
const STRIDE = 1_000_003;

/** Look-ups of a batch: sample s reads the rows `indices[offsets[s]]` … `indices[offsets[s + 1] − 1]`. */
export interface Lookups {
  readonly indices: Int32Array;
  readonly offsets: Int32Array;
}

/**
 * Look-ups like those that a table's bins describe: bin j's rows are read in the proportion of the middle of what the bin holds.
 * A batch other than the published one reads the same rows as often per sample.
 */
export function drawLookups({ rows, poolingFactor, accessBins }: NetworkTable, batch: number, random: Random): Lookups {
  const total = Math.round(batch * poolingFactor);
  const appearances = accessBins.map((share, bin) => share * binMiddle(bin));
  const sum = appearances.reduce((all, value) => all + value, 0);
  const distinct = Math.max(1, Math.min(rows, Math.round((PUBLISHED_BATCH * poolingFactor) / (sum || 1))));
  const starts = [0];
  for (const share of accessBins) starts.push((starts.at(-1) as number) + share * distinct);
  const indices = new Int32Array(total);
  for (let i = 0; i < total; i++) {
    const bin = drawBin(appearances, sum, random);
    const [from, to] = [starts[bin] as number, starts[bin + 1] as number];
    const row = Math.min(distinct - 1, Math.floor(from + random.next() * (to - from)));
    indices[i] = (row * STRIDE) % rows;
  }
  return { indices, offsets: Int32Array.from({ length: batch + 1 }, (_, s) => Math.floor((s * total) / batch)) };
}

/** AutoShard's bins of the look-ups of a batch: shares of the distinct indices by how often each appears. */
export function binsOf({ indices }: Lookups): readonly number[] {
  const counts = new Map<number, number>();
  for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1);
  const bins = new Array<number>(BINS).fill(0);
  for (const count of counts.values()) {
    const bin = Math.min(BINS - 1, Math.ceil(Math.log2(count)));
    bins[bin] = (bins[bin] as number) + 1;
  }
  return bins.map((indicesOfBin) => (counts.size === 0 ? 0 : indicesOfBin / counts.size));
}

function drawBin(appearances: readonly number[], sum: number, random: Random): number {
  let left = random.next() * sum;
  for (const [bin, value] of appearances.entries()) {
    left -= value;
    if (left < 0) return bin;
  }
  return 0;
}

/** Appearances in the middle of a bin, which ends at 2^bin. */
function binMiddle(bin: number): number {
  return bin === 0 ? 1 : 0.75 * 2 ** bin;
}
