import type { Block } from "./blocks.js";
import type { ExchangeFeature } from "./exchange-problem.js";
import { type Bags, bagsWithin, lookUp } from "./look-up.js";
import type { Run } from "./run.js";
import type { Shard } from "./shards.js";
import type { Packet } from "./wire.js";

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
