import type { Access } from "../access.js";
import type { Allowance } from "../allowance.js";
import { type Cluster, COLLECTIVES } from "../cluster.js";
import type { DataType } from "../data-type.js";

/**
 * The instance of a row-tiers problem: read, checked, with every default filled in. Quantities are in bytes, seconds,
 * bytes per second and rows.
 */

/**
 * Sharding strategies of rows, by TorchRec's names (`flex` is FlexShard's own; `host` is row-wise sharding over the
 * nodes' host memories, RecShard's slow tier), from those that suit the hottest rows to those that suit the coldest.
 */
export const TIERS = ["data_parallel", "flex", "row_wise", "column_wise", "host"] as const;
export type Tier = (typeof TIERS)[number];

/** What a row-tiers plan minimises: the sum of the collectives, the exposed ones, or the slower of the two channels. */
export const ROW_TIERS_OBJECTIVES = ["serial", "exposed", "channels"] as const;
export type RowTiersObjective = (typeof ROW_TIERS_OBJECTIVES)[number];

/**
 * What a stage may minimise: the objective's seconds, those of one collective, bytes per GPU, bytes of host memory per
 * node; rows that change the tier that a plan before has them in, and the bytes that a GPU receives for them.
 */
export const ROW_TIERS_GOALS = ["time", ...COLLECTIVES, "memory", "host-memory", "moved-rows", "moved-bytes"] as const;
export type RowTiersGoalName = (typeof ROW_TIERS_GOALS)[number];

/** One of several goals in order: minimised, then held within its allowance for those after it. */
export interface RowTiersGoal {
  readonly minimize: RowTiersGoalName;
  readonly allow: Allowance;
}

/** What a goal is counted in. */
export function goalUnit(goal: RowTiersGoalName): "s" | "B" | "rows" {
  if (goal === "moved-rows") return "rows";
  return goal === "memory" || goal === "host-memory" || goal === "moved-bytes" ? "B" : "s";
}

/** One embedding table. */
export interface Table {
  readonly name: string;
  readonly rows: number;
  /** Elements per row. */
  readonly dim: number;
  readonly dataType: DataType;
  readonly elementBytes: number;
  readonly access: Access;
}

/** Memory that a plan may use on each GPU: that of the all-row_wise plan, a number, or a number over all-row_wise. */
export type RowTiersBudget =
  | { readonly kind: "memory-neutral" }
  | { readonly kind: "bytesPerGpu"; readonly bytes: number }
  | { readonly kind: "extraBytesPerGpu"; readonly bytes: number };

/** Neighbouring rows, by falling access, in one tier. */
export interface RowRun {
  readonly rows: number;
  readonly tier: Tier;
}

/**
 * Where a plan has a table's rows, by their order of access then, and how rows are known again:
 *
 * - `counts`: by row id, in the counts file of then (its absolute path; `rows`: those of then);
 * - `same-access`: they are read exactly as then, and so in the same order;
 * - `order`: the instance says that their order is the same.
 */
export type TableFrom = { readonly runs: readonly RowRun[] } & (
  | { readonly by: "counts"; readonly file: string; readonly samples: number; readonly rows: number }
  | { readonly by: "same-access" }
  | { readonly by: "order" }
);

/** Where a plan has the rows now. */
export interface RowsFrom {
  /** As the instance names it. */
  readonly plan: string;
  /** One entry per table; `null`: the table is new. */
  readonly tables: readonly (TableFrom | null)[];
  /** Limits; `null`: none. */
  readonly mostMovedRows: number | null;
  /** That a GPU receives. */
  readonly mostMovedBytes: number | null;
}

/** Where the rows of a table were, in the order in which a plan counts them now; `null`: they are new. */
export type RowsBefore = readonly { readonly rows: number; readonly tier: Tier | null }[];

/** Choose a tier for every row of every table (FlexShard's problem). */
export interface RowTiersInstance {
  readonly problem: "row-tiers";
  readonly name: string;
  /** Where the numbers come from. */
  readonly source?: string;
  readonly cluster: Cluster;
  readonly training: {
    /** Samples per GPU and iteration. */
    readonly batchPerGpu: number;
    /** Memory of a data-parallel parameter as a multiple of its size. */
    readonly replicaMemoryFactor: number;
  };
  /** Allowed tiers, without repeats, in the file's order. */
  readonly tiers: readonly Tier[];
  readonly budget: RowTiersBudget;
  readonly objective: RowTiersObjective;
  /** Goals in order, at least one; left out: the objective's seconds alone. */
  readonly goals?: readonly RowTiersGoal[];
  /** Where the rows are now; left out: nobody asks. */
  readonly from?: RowsFrom;
  /** Rows move between tiers in multiples of this. */
  readonly granularity: number;
  readonly tables: readonly Table[];
  /** The file it was read from, for relative paths and messages; `-` is standard input. */
  readonly file: string;
  /**
   * Lower-case hexadecimal. Without other files the SHA-256 of the file's bytes (with a plan to move from, of the lines that
   * have this hash, that of the plan and that of its instance); with counts files that of one line of
   * hexadecimal SHA-256 (ending in a line feed) for the instance file and then one for each counts file, in the order of
   * the tables.
   */
  readonly sha256: string;
}

/** How files name a tier by a number: its place in {@link TIERS}. */
export function tierCode(tier: Tier): number {
  return TIERS.indexOf(tier);
}
