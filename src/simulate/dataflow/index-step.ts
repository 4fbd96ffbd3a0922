import type { ExchangeFeature } from "./exchange-problem.js";
import type { Packet, Shard } from "./layout.js";
import type { Block, Run } from "./run.js";

/** The ids of some samples: sample after sample, `lengths` of each where they differ. */
export interface Bags {
  readonly ids: Int32Array;
  readonly lengths: Int32Array | null;
}

/** A rectangle of a table of `dim` columns, as `Shard` has it. */
export interface Rectangle {
  readonly firstRow: number;
  readonly firstColumn: number;
  readonly columns: number;
}

/**
 * The embedding bag with sum pooling: for each sample the sum over its ids of the table's rows, columns of the rectangle
 * only, added in single precision in the order of the ids. Samples × columns, sample after sample.
 */
export function lookUp(
  table: Float32Array,
  dim: number,
  { ids, lengths }: Bags,
  samples: number,
  { firstColumn, columns }: Rectangle,
): Float32Array {
  const pooled = new Float32Array(samples * columns);
  let next = 0;
  for (let sample = 0; sample < samples; sample++) {
    const end = next + (lengths === null ? ids.length / samples : (lengths[sample] as number));
    for (; next < end; next++) {
      const row = (ids[next] as number) * dim + firstColumn;
      for (let k = 0; k < columns; k++) {
        // A Float32Array rounds what it is given: every addition is one of single precision.
        pooled[sample * columns + k] = (pooled[sample * columns + k] as number) + (table[row + k] as number);
      }
    }
  }
  return pooled;
}

/** Of fixed bags, the ids whose rows are in [firstRow, firstRow + rows), and how many each sample has left. */
export function bagsWithin(ids: Int32Array, samples: number, firstRow: number, rows: number): Bags {
  const lengths = new Int32Array(samples);
  const hotness = ids.length / samples;
  const kept = ids.filter((id, k) => {
    const isKept = id >= firstRow && id < firstRow + rows;
    if (isKept) lengths[Math.floor(k / hotness)] = (lengths[Math.floor(k / hotness)] as number) + 1;
    return isKept;
  });
  return { ids: kept, lengths };
}

/**
 * Step a: every rank sends the ids of its samples to the owners of their tables; those of row-wise tables to the shards that
 * hold the rows, with the length that each bag has there. What comes back is, for each rank in the group's order, one block
 * from each rank in the group's order: bags by the shards that it holds.
 */
export function sendIds(run: Run, exchange: "flat" | "sptt", group: readonly number[]): Bags[][][] {
  const packets = group.map((source) => group.map((owner) => idsFor(run, source, owner)));
  return run.wires.allToAll({ exchange, pass: "forward", step: "a" }, group, packets);
}

function idsFor(run: Run, source: number, owner: number): Packet<Bags[]> {
  const samples = run.problem.localBatch;
  const bags = (run.byRank[owner] as readonly Shard[]).map(({ feature, firstRow, rows }): Bags => {
    const ids = run.data.ids[source]?.[feature] as Int32Array;
    const { sharding } = run.features[feature] as ExchangeFeature;
    return sharding.kind === "rows" ? bagsWithin(ids, samples, firstRow, rows) : { ids, lengths: null };
  });
  return { content: bags, bytes: bagBytes(run, bags) };
}

/** Bytes of ids and of the lengths that are sent. */
export function bagBytes({ idBytes, lengthBytes }: Run, bags: readonly Bags[]): number {
  return bags.reduce((sum, { ids, lengths }) => sum + ids.length * idBytes + (lengths?.length ?? 0) * lengthBytes, 0);
}

/** Step b: a rank looks up the vectors of one rank's samples in each of the shards that it holds. */
export function lookUpBlock(run: Run, owner: number, bags: readonly Bags[]): Block {
  return (run.byRank[owner] as readonly Shard[]).map((shard, k) => {
    const { dim } = run.features[shard.feature] as ExchangeFeature;
    const table = run.data.tables[shard.feature] as Float32Array;
    return lookUp(table, dim, bags[k] as Bags, run.problem.localBatch, shard);
  });
}
