import type { Access } from "../access.js";
import type { Allowance } from "../allowance.js";
import type { CachesChoice, HotRowsChoice } from "../hot-rows.js";
/**
 * The instance of a table-placement problem: read, checked, with every default filled in. Bytes are integers; costs are in
 * the unit of the cost model (milliseconds for TorchRec's).
 */

import type { Collective } from "../cluster.js";
import type { DataType } from "../data-type.js";
import type { PlacedDocument } from "../document.js";
import type { GroupsChoice, OneGroup } from "./groups.js";

/** How the shards of an option may be placed: TorchRec's partition_by. */
export const PARTITIONS_BY = ["device", "uniform", "host", "multi_host"] as const;
export type PartitionByName = (typeof PARTITIONS_BY)[number];

/** Cost models that are a formula of a table's features (AutoShard and its family). */
export const FORMULA_COST_MODELS = ["size", "dim", "lookup", "size-lookup"] as const;
export type FormulaCostModel = (typeof FORMULA_COST_MODELS)[number];

/** The phases of a training step, in the order in which TorchRec adds their costs up. */
export const PHASES = ["forwardCompute", "backwardCompute", "forwardComms", "backwardComms", "prefetch"] as const;
export type PhaseName = (typeof PHASES)[number];

/** What is minimised: the largest device cost, or Σ over the phases of the largest device's cost in each. */
export const PLACEMENT_OBJECTIVES = ["largest", "phases"] as const;

/** What is minimised then: Σ of all device costs, or the largest but one. */
export const SECOND_OBJECTIVES = ["sum", "second-largest"] as const;

/**
 * What a stage minimises: the largest device cost; Σ over the phases of the largest; the largest memory of a device, or of its
 * host part (of a node, where that is pooled); the largest device cost but one; Σ of all device costs; bytes that devices receive
 * and tables that move from where another plan has them.
 */
export const STAGE_GOALS = [
  "largest-cost",
  "phases",
  "largest-hbm",
  "largest-host",
  "second-largest",
  "sum",
  "moved-bytes",
  "moved-tables",
] as const;
export type StageGoal = (typeof STAGE_GOALS)[number];

/** One of several goals in order; `allow`: how much worse than its best it may get for those after it. */
export interface GoalStage {
  readonly minimize: StageGoal;
  readonly allow: Allowance;
}

/** What a shard costs its device. */
export type PlacementCostModel =
  | { readonly kind: "given" | "options" | "torchrec" | FormulaCostModel }
  /** A cost network in a file, and perhaps a policy that learned under it in another; relative to the instance's. */
  | { readonly kind: "neural"; readonly file: string; readonly policy?: string };

/** `nodes · gpusPerNode` devices, numbered node by node. */
export interface PlacementCluster {
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** Bytes that shards may use on each device, one entry per device; `null` where memory does not limit. */
  readonly hbmBytesPerGpu: readonly number[] | null;
  /** Bytes of host memory that belong to each device, one entry per device; `null` where it does not limit. */
  readonly hostBytesPerGpu: readonly number[] | null;
  /** The host memory of a node is one pool for its devices. */
  readonly hostIsPooled: boolean;
  /** Bytes of each device's SSD that shards may use, one entry per device; `null` where it does not limit. */
  readonly ssdBytesPerGpu: readonly number[] | null;
  /** Bytes per second of the links of each device, where the file gives them beside its cost model. */
  readonly bandwidth?: Readonly<Partial<Record<Collective, number>>>;
}

/** What is known of a table's shape and use. */
export interface TableFeatures {
  readonly rows: number;
  /** Elements per row. */
  readonly dim: number;
  readonly dataType: DataType;
  /** Bytes per element. */
  readonly elementBytes: number;
  /** Mean look-ups per sample; `null` where the file does not say. */
  readonly poolingFactor: number | null;
  /** AutoShard's 17 bins: shares of the distinct indices of a batch by how often each appears. */
  readonly accessBins: readonly number[] | null;
  /** Bytes beside the elements of each row: hash keys, scores, room to grow; absent: none. */
  readonly extraBytesPerRow?: number;
}

/** One way to shard a table, as the instance lists it. */
export interface ShardingOption {
  readonly shardingType: string;
  readonly kernel: string;
  readonly partitionBy: PartitionByName;
  /** Run-length coded, in the order of the shards. */
  readonly shards: readonly (readonly [count: number, need: ShardingNeed])[];
  /** Hot rows of which every device has a copy beside the shards, and what each copy needs; absent: none. */
  readonly hot?: ReplicatedRows | undefined;
  /** With a kernel that has a cache, where its size is one of several. */
  readonly cache?: ChosenCache | undefined;
  /** No device may have two of its shards, copies of hot rows apart. */
  readonly distinctDevices?: boolean | undefined;
  /** What whoever takes it has to know, in words that follow the table's name; absent: nothing. */
  readonly notes?: readonly string[] | undefined;
}

/** The hottest rows of a table, copied to every device. */
export interface ReplicatedRows {
  readonly rows: number;
  /** Share of the table's look-ups that they take. */
  readonly share: number;
  /** Of each copy. */
  readonly need: ShardingNeed;
}

/** A size of a table's cache among several. */
export interface ChosenCache {
  /** Share of the rows that the cache holds. */
  readonly loadFactor: number;
  /** Share of the distinct rows of a global batch that are not in it. */
  readonly missRate: number;
  /** The size that is there without a choice: published methods have this one. */
  readonly isPublished: boolean;
}

export interface ShardingNeed {
  readonly cost: number;
  readonly hbmBytes: number;
  readonly hostBytes: number;
  /** On its device's SSD; absent: none. */
  readonly ssdBytes?: number | undefined;
  /** What the cost is the sum of, where the instance says so. */
  readonly phases?: Readonly<Record<PhaseName, number>> | undefined;
}

interface AnyPlacedTable {
  readonly name: string;
  /** The devices that its shards may use; `null`: all. */
  readonly devices: readonly number[] | null;
  /** No device may have two of its shards, whatever its option says; absent: that. */
  readonly distinctDevices?: true;
  /** `null` where the instance gives costs alone, or has it in TorchRec's words. */
  readonly features: TableFeatures | null;
  /** How often its rows are read; absent where the file does not say. */
  readonly access?: Access;
}

/** A table with its options, where the instance has them; from features or TorchRec's model they are made later. */
export type PlacedTable = AnyPlacedTable &
  (
    | { readonly kind: "options"; readonly options: readonly ShardingOption[] }
    | { readonly kind: "features"; readonly features: TableFeatures }
    | { readonly kind: "torchrec" }
  );

/** Another plan: where the tables are now. It may have other tables, and other devices. */
export interface MovesFrom {
  /** Where the plan has each of its tables, by name; the ranks are the plan's. */
  readonly choices: ReadonlyMap<string, WrittenChoice>;
  /** How many tables may move; `null`: any number. */
  readonly mostMoved: number | null;
  /** By rank of the plan the device that it is now; numbers from nodes · gpusPerNode on are of devices that are gone. */
  readonly ranks: readonly number[];
  /** The hosts of the devices that are gone, one by one; numbers from nodes on are of hosts that are gone. */
  readonly goneHosts: readonly number[];
  /** What the plan is of, without what it moved from itself; `null`: tables and devices are those of this instance. */
  readonly instance: TablePlacementInstance | null;
  /** The optimizer whose state moves, where a table does not name its own; `null`: none. */
  readonly optimizer: string | null;
}

/** A table in a plan file: TorchRec's names of its option, and the device of each shard. */
export interface WrittenChoice {
  readonly shardingType: string;
  readonly kernel: string;
  readonly ranks: readonly number[];
}

/** Assign every table, or the shards of one of its options, to devices; the largest device cost least. */
export interface TablePlacementInstance {
  readonly problem: "table-placement";
  readonly name: string;
  /** Where the numbers come from. */
  readonly source?: string;
  readonly cluster: PlacementCluster;
  readonly costModel: PlacementCostModel;
  /** Of the costs, such as `ms`; `null` where the file does not say and the model has none. */
  readonly costUnit: string | null;
  /** Tables may be cut by columns into at most so many equal shards; `null`: not at all. */
  readonly splits: { readonly maxShardsPerTable: number } | null;
  /** Tables with an access distribution may have their hottest rows copied to every device; absent: not. */
  readonly hotRows?: HotRowsChoice;
  /** Tables with an access distribution choose the size of their cache; absent: it is what the table says. */
  readonly caches?: CachesChoice;
  readonly tables: readonly PlacedTable[];
  /** Names of tables all of whose shards share one device. */
  readonly together: readonly (readonly string[])[];
  /** Names of tables of which no two have a shard on the same device. */
  readonly apart: readonly (readonly string[])[];
  readonly objective: (typeof PLACEMENT_OBJECTIVES)[number];
  /** The second goal; `null`: none. */
  readonly thenMinimize: (typeof SECOND_OBJECTIVES)[number] | null;
  /** Goals in order, in place of the two above; `null`: those. */
  readonly goals: readonly GoalStage[] | null;
  /** `null`: nothing is known of where the tables are now. */
  readonly from: MovesFrom | null;
  /** Every so many devices hold a copy of the tables; absent: all hold one together. */
  readonly groups?: GroupsChoice;
  /** Of the instance of one group: what it is part of. */
  readonly group?: OneGroup;
  /**
   * With the cost model `torchrec`: the problem in TorchRec's words, cluster and tables filled in, with the places in the
   * instance's file.
   */
  readonly torchrec: PlacedDocument | null;
  /** The file it was read from, for relative paths and messages; `-` is standard input. */
  readonly file: string;
  /**
   * SHA-256 of the file's bytes, lower-case hexadecimal; with a plan to move from (and its instance), or the weights of a cost
   * network, of the lines that have this hash and those of the other files.
   */
  readonly sha256: string;
}

/** Whether shards of this number and partition can be placed on such a cluster at all, memory apart; `isDistinct`: each on a device of its own. */
export function hasPlace(
  partitionBy: PartitionByName | undefined,
  shards: number,
  { nodes, gpusPerNode }: Pick<PlacementCluster, "nodes" | "gpusPerNode">,
  isDistinct = false,
): boolean {
  const devices = nodes * gpusPerNode;
  if (partitionBy === "uniform") return shards <= devices;
  if (isDistinct && shards > (partitionBy === "host" ? gpusPerNode : devices)) return false;
  return partitionBy !== "multi_host" || shards % gpusPerNode === 0;
}
