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

/** What TorchRec makes a module shardable with: pooled embeddings, sequences, or quantised tables for inference. */
export const SHARDERS = ["embedding_bag_collection", "embedding_collection", "quant_embedding_bag_collection"] as const;
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

/** Sharding types that are enumerated only where a table's constraints name them. */
export const GUARDED_SHARDING_TYPES: ReadonlySet<ShardingType> = new Set(["grid_shard"]);

/**
 * The sharding types of a sharder, guarded ones included (torchrec/distributed/embedding_types.py and embedding.py,
 * `sharding_types`), in {@link SHARDING_TYPES}'s order but for the quantised sharder, which has its own. Those on a GPU and on
 * the CPU agree with runs of the planner; those on MTIA and TPU are read off its source.
 */
export function shardingTypesOf(sharder: Sharder, device: ComputeDevice): readonly ShardingType[] {
  if (sharder === "embedding_collection") return ["data_parallel", "table_wise", "column_wise", "row_wise"];
  if (sharder === "quant_embedding_bag_collection") return ["table_wise", "row_wise", "column_wise"];
  if (device === "mtia") return ["table_wise", "column_wise"];
  if (device === "cuda") return SHARDING_TYPES;
  return ["data_parallel", "table_wise", "column_wise", "table_column_wise"];
}
