import type { ComputeDevice } from "./topology.js";

/** TorchRec's names (torchrec/distributed/types.py, `ShardingType`), in the order in which a sharder lists them. */
export const SHARDING_TYPES = [
  "data_parallel",
  "table_wise",
  "column_wise",
  "table_column_wise",
  "row_wise",
  "table_row_wise",
  "grid_shard",
] as const;
export type ShardingType = (typeof SHARDING_TYPES)[number];

/**
 * What TorchRec makes a module shardable with: pooled embeddings, sequences, pooled embeddings of processed features, or
 * quantised tables for inference.
 */
export const SHARDERS = [
  "embedding_bag_collection",
  "embedding_collection",
  "feature_processed_embedding_bag_collection",
  "quant_embedding_bag_collection",
] as const;
export type Sharder = (typeof SHARDERS)[number];

/**
 * How the shards of an option may be placed (planner/types.py, `PartitionByType`): each on any device, all inside one
 * host, shard i on rank i, or groups of one host's size on different hosts.
 */
export type PartitionBy = "device" | "host" | "uniform" | "multi_host";

const PARTITION_BY: Readonly<Record<ShardingType, PartitionBy>> = {
  data_parallel: "uniform",
  table_wise: "device",
  column_wise: "device",
  table_column_wise: "host",
  row_wise: "uniform",
  table_row_wise: "host",
  grid_shard: "multi_host",
};

/** planner/enumerators.py, `get_partition_by_type`. */
export function partitionBy(shardingType: ShardingType): PartitionBy {
  return PARTITION_BY[shardingType];
}

/** Whether a sharder's type is enumerated only where a table's constraints name it (enumerators.py). */
export function isGuarded(shardingType: ShardingType, sharder: Sharder): boolean {
  if (shardingType === "grid_shard") return true;
  const byRows = shardingType === "row_wise" || shardingType === "table_row_wise";
  return byRows && sharder === "feature_processed_embedding_bag_collection";
}

/**
 * The sharding types of a sharder, guarded ones included (torchrec/distributed/embedding_types.py, embedding.py and
 * fp_embeddingbag.py, `sharding_types`), in {@link SHARDING_TYPES}'s order but for the quantised sharder, which has its own.
 */
export function shardingTypesOf(sharder: Sharder, device: ComputeDevice): readonly ShardingType[] {
  switch (sharder) {
    case "embedding_collection":
      return ["data_parallel", "table_wise", "column_wise", "row_wise"];
    case "quant_embedding_bag_collection":
      return ["table_wise", "row_wise", "column_wise"];
    case "feature_processed_embedding_bag_collection":
      return device === "mtia" ? ["table_wise", "column_wise"] : SHARDING_TYPES;
    case "embedding_bag_collection":
      if (device === "mtia") return SHARDING_TYPES.filter((type) => type !== "data_parallel");
      return device === "cpu" ? SHARDING_TYPES.slice(0, 4) : SHARDING_TYPES;
  }
}
