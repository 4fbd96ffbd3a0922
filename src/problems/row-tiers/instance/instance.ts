import type { Access } from "../../../instance/access.js";
import type { Cluster } from "../../../instance/cluster.js";
import type { DataType } from "../../../instance/data-type.js";

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
  /** Rows move between tiers in multiples of this. */
  readonly granularity: number;
  readonly tables: readonly Table[];
  /** The file it was read from, for relative paths and messages; `-` is standard input. */
  readonly file: string;
  /**
   * Lower-case hexadecimal. Without counts files the SHA-256 of the file's bytes; with them that of one line of
   * hexadecimal SHA-256 (ending in a line feed) for the instance file and then one for each counts file, in the order of
   * the tables.
   */
  readonly sha256: string;
}
