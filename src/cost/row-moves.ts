import { Rational } from "../exact/rational.js";
import type { RowTiersInstance, Tier } from "../instance/types/row-tiers.js";

/**
 * Bytes that a GPU must receive, on average, for each byte of parameters of rows that change their tier: what the new tier
 * keeps on it, with the optimizer's state as the memory model has it. Symbols as in flexshard.ts.
 *
 * | to | bytes | but from data_parallel | but from flex |
 * |---|---|---|---|
 * | data_parallel | κ | 0 | κ − κ/W |
 * | flex | κ/W | 0 | 0 |
 * | row_wise, column_wise, host | 1/U | 0 | 1/U |
 *
 * Every GPU has what is replicated already, and one in W of a node's what is flex. What else a GPU happens to hold of a
 * row is not subtracted: which one that is a plan does not say. Into host memory rows go through the GPUs.
 */
export function receivedPerByte({ cluster, training }: RowTiersInstance, from: Tier, to: Tier): Rational {
  if (isSameTier(from, to) || from === "data_parallel") return Rational.zero;
  const replica = Rational.fromNumber(training.replicaMemoryFactor);
  const nodeGpus = Rational.of(BigInt(cluster.gpusPerNode));
  if (to === "flex") return replica.divide(nodeGpus);
  if (to === "data_parallel") return from === "flex" ? replica.subtract(replica.divide(nodeGpus)) : replica;
  return Rational.of(1n, BigInt(cluster.nodes) * BigInt(cluster.gpusPerNode));
}

/** Whether rows stay where they are: row_wise and column_wise cost the same, and are one choice. */
export function isSameTier(from: Tier, to: Tier): boolean {
  const one = (tier: Tier) => (tier === "column_wise" ? "row_wise" : tier);
  return one(from) === one(to);
}
