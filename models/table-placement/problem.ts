/**
 * Table placement as every cost model, method and proof sees it: one option per table, its shards on devices, the largest
 * device cost least, within the memory of every device. The mathematics is in README.md beside this file.
 *
 * Devices are numbered 0 … nodes · gpusPerNode − 1, those of a node one after the other.
 */
export interface PlacementProblem {
  readonly name: string;
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** Bytes that shards may use of each device's own memory; one entry per device. */
  readonly hbmBytes: readonly number[];
  /** Bytes that shards may use of the host's memory; one entry per device, `null` where it does not limit. */
  readonly hostBytes: readonly number[] | null;
  /** The host memory of a node is one pool for its devices, rather than a part for each. */
  readonly hostIsPooled: boolean;
  readonly tables: readonly PlacementTable[];
  /** Tables (by index) all of whose shards must share one device; every group has two or more. */
  readonly together: readonly (readonly number[])[];
  /** Tables (by index) of which no two may have a shard on the same device. */
  readonly apart: readonly (readonly number[])[];
}

export interface PlacementTable {
  readonly name: string;
  /** At least one. */
  readonly options: readonly PlacementOption[];
  /** The devices that its shards may use; `null`: all. */
  readonly devices: readonly number[] | null;
}

/** How an option's shards may be placed (TorchRec's partition_by). */
export const PARTITIONS = ["device", "uniform", "host", "multi_host"] as const;

/**
 * - `device`: any device for each shard;
 * - `uniform`: shard i on device i;
 * - `host`: all shards inside one node: shard i on its i-th device when there are as many shards as devices and the sharding
 *   type is `table_row_wise`, any of its devices for each shard otherwise (`table_column_wise`);
 * - `multi_host`: groups of gpusPerNode shards, each group on a different node, shard i of a group on that node's i-th
 *   device.
 */
export type Partition = (typeof PARTITIONS)[number];

/** One way to shard a table. */
export interface PlacementOption {
  /** TorchRec's name, such as `table_wise`; `table_wise` for tables that are given by a cost alone. */
  readonly shardingType: string;
  /** TorchRec's name of the compute kernel, such as `fused`. */
  readonly kernel: string;
  readonly partitionBy: Partition;
  /** At least one; equal neighbours are equal in all three numbers. */
  readonly shards: readonly ShardNeed[];
}

/** What one shard adds to its device: the cost in the instance's unit (milliseconds for TorchRec), bytes as integers. */
export interface ShardNeed {
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hostBytes: number;
}

/** A plan: the option of each table and the device of each of its shards. */
export interface Placement {
  readonly choices: readonly PlacementChoice[];
}

export interface PlacementChoice {
  /** Index into the table's options. */
  readonly option: number;
  /** The device of each shard, in the option's order. */
  readonly devices: readonly number[];
}

/** All devices of a problem. */
export function deviceCount({ nodes, gpusPerNode }: Pick<PlacementProblem, "nodes" | "gpusPerNode">): number {
  return nodes * gpusPerNode;
}
