import type { TableFeatures } from "../../problems/table-placement/instance/instance.js";

/** What a formula sees of a shard: its table's features, with the columns that the shard has as `dim`. */
export type ShardFeatures = Pick<TableFeatures, "rows" | "dim" | "elementBytes" | "poolingFactor" | "extraBytesPerRow">;

/**
 * A cost that is a formula of a shard's features, as AutoShard and its family compare tables by. It is additive: what a
 * device pays is the sum over its shards.
 */
export type CostFormula = (shard: ShardFeatures) => number;

/** Bytes of a shard's parameters. */
export function shardBytes({ rows, dim, elementBytes }: ShardFeatures): number {
  return rows * dim * elementBytes;
}

/** The same with what is kept beside the elements of each row. */
export function heldBytes(shard: ShardFeatures): number {
  return shardBytes(shard) + Math.ceil(shard.rows * (shard.extraBytesPerRow ?? 0));
}
