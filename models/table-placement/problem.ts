import type { SetCost } from "../../src/cost/neural/set-cost.js";
import type { LeftOut } from "../../src/cost/placement/instance-costs.js";
import type {
  ChosenCache,
  GoalStage,
  PLACEMENT_OBJECTIVES,
  SECOND_OBJECTIVES,
  StageGoal,
} from "../../src/instance/types/table-placement.js";

/**
 * Table placement as every cost model, method and proof sees it: one option per table, its shards on devices, the largest
 * device cost (or another {@link PlacementGoal goal}) least, within the memory of every device. The mathematics is in README.md
 * beside this file.
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
  /** Bytes that shards may use of each device's SSD; one entry per device, absent where it does not limit. */
  readonly ssdBytes?: readonly number[];
  readonly tables: readonly PlacementTable[];
  /** Tables (by index) all of whose shards must share one device; every group has two or more. */
  readonly together: readonly (readonly number[])[];
  /** Tables (by index) of which no two may have a shard on the same device. */
  readonly apart: readonly (readonly number[])[];
  /** How many tables may move from where another plan had them; absent: any number. */
  readonly stay?: StayLimit;
  /** What is minimised; absent: `largest`. */
  readonly goal?: PlacementGoal;
  /** What is minimised then, among the placements that cost no more than the first goal's best; absent: nothing. */
  readonly thenMinimize?: SecondGoal;
  /** Goals in order, in place of the two above; absent: those. */
  readonly stages?: readonly GoalStage[];
  /** What a device costs, where that is not the sum over its shards (a shard's cost is then that of a device with it alone). */
  readonly setCost?: SetCost;
  /** Absent: nothing is. */
  readonly leftOut?: readonly LeftOut[];
  /** Options are all that TorchRec's estimators price, also those that it cannot run; absent: there are none of these. */
  readonly runnable?: false;
}

/**
 * - `largest`: the largest device cost;
 * - `phases`: Σ over the phases of a training step of the largest cost that a device has in that phase (TorchRec prints it
 *   as "sum of maxima"): as if all devices waited for one another after each phase.
 */
export type PlacementGoal = (typeof PLACEMENT_OBJECTIVES)[number];

/** `sum`: Σ of all device costs; `second-largest`: the largest device cost but one (0 with one device). */
export type SecondGoal = (typeof SECOND_OBJECTIVES)[number];

export type { GoalStage as Stage, StageGoal };

/** A limit on the tables that move. */
export interface StayLimit {
  /**
   * By table, the choices that count as staying, one for each option that the other plan's may be; empty where the table
   * cannot but move, `null` where the other plan does not have it, so that it cannot move. A table stays where it takes such
   * an option and, for each kind of shard, the same devices.
   */
  readonly homes: readonly (readonly PlacementChoice[] | null)[];
  readonly mostMoved: number;
}

export interface PlacementTable {
  readonly name: string;
  /** At least one. */
  readonly options: readonly PlacementOption[];
  /** The devices that its shards may use; `null`: all. */
  readonly devices: readonly number[] | null;
  /** Why it has no place on any device, whatever its option, in words that follow its name; absent: it has. */
  readonly refused?: string;
}

/** How an option's shards may be placed (TorchRec's partition_by). */
export const PARTITIONS = ["device", "uniform", "host", "multi_host"] as const;

/**
 * - `device`: any device for each shard;
 * - `uniform`: shard i on device i;
 * - `host`: all shards inside one node: shard i on its i-th device when there are as many shards as devices and the sharding
 *   type is `table_row_wise`, any of its devices for each shard otherwise (`table_column_wise`);
 * - `multi_host`: groups of gpusPerNode shards, shard i of a group on its node's i-th device; groups on different nodes, and
 *   where there are more groups than nodes, round them: each group after the first `nodes` is where the one `nodes` before
 *   it is (TorchRec's `_multi_hosts_partition`).
 */
export type Partition = (typeof PARTITIONS)[number];

/** One way to shard a table. */
export interface PlacementOption {
  /** TorchRec's name, such as `table_wise`; `table_wise` for tables that are given by a cost alone. */
  readonly shardingType: string;
  /** TorchRec's name of the compute kernel, such as `fused`. */
  readonly kernel: string;
  readonly partitionBy: Partition;
  /** No device may have two of its shards, copies of hot rows apart; absent: several may share one. */
  readonly distinctDevices?: true;
  /** At least one; equal neighbours are equal in all numbers. */
  readonly shards: readonly ShardNeed[];
  /** The table's hottest rows, where every device has a copy of them: its last shards, shard by device. Absent: none. */
  readonly hot?: HotRows;
  /** With a kernel that keeps a part of the rows in a cache, where several sizes are options. */
  readonly cache?: ChosenCache;
  /** What whoever takes it has to know, in words that follow the table's name; absent: nothing. */
  readonly notes?: readonly string[];
  /** What each shard's device would have to receive, where the instance says where the tables are now. */
  readonly incoming?: readonly Incoming[];
}

/** The hottest rows of a table, of which every device has a copy; what {@link PlacementOption.partitionBy} says is of the others. */
export interface HotRows {
  readonly rows: number;
  /** Share of the table's look-ups that they take. */
  readonly share: number;
  /** How many of the option's shards they are: one for every device. */
  readonly copies: number;
}

/** What of a shard exists now, and which devices hold how much of it: see `moved-bytes.ts`. */
export interface Incoming {
  /** Bytes of the parameters and optimizer state that exist: a device that holds none of them receives them all. */
  readonly bytes: number;
  /** The devices that hold some where the shard would be kept, and how many bytes; in rising order. */
  readonly held: readonly (readonly [device: number, bytes: number])[];
}

/** What one shard adds to its device: the cost in the instance's unit (milliseconds for TorchRec), bytes as integers. */
export interface ShardNeed {
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  /** On its device's SSD; absent: none. */
  readonly ssdBytes?: number;
  /** With the goal `phases`: what it costs in each phase. All shards of a problem have as many. */
  readonly phases?: readonly number[];
  /** With a goal of moved bytes: what the option says of the shard. */
  readonly incoming?: Incoming;
  /** Where a host stands for its devices: what they have of the shard. */
  readonly within?: WithinHost;
}

/** What a shard costs inside a host: every device of it at least, and one of them. */
export interface WithinHost {
  readonly least: number;
  readonly most: number;
}

/** The numbers that a goal adds up on every device, one largest sum for each: the cost, or the cost in each phase. */
export function goalParts({ goal }: Pick<PlacementProblem, "goal">, { cost, phases }: ShardNeed): readonly number[] {
  if (goal !== "phases") return [cost];
  if (phases === undefined) throw new RangeError("a shard without phases cannot be of a problem whose goal they are");
  return phases;
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
