import type { DataType } from "./data-type.js";
/**
 * The instance of a problem as the rest of the program sees it: read, checked, with every default filled in. Quantities
 * are in bytes, seconds, bytes per second and rows.
 */

import type { TablePlacementInstance } from "./table-placement-instance.js";
import type { TowerPartitionInstance } from "./tower-partition-instance.js";

/**
 * Sharding strategies of rows, by TorchRec's names (`flex` is FlexShard's own; `host` is row-wise sharding over the
 * nodes' host memories, RecShard's slow tier), from those that suit the hottest rows to those that suit the coldest.
 */
export const TIERS = ["data_parallel", "flex", "row_wise", "column_wise", "host"] as const;
export type Tier = (typeof TIERS)[number];

/**
 * What a training step moves: collectives over all GPUs, inside one node, or between the nodes (FlexShard, table 3), and
 * the transfers over the link between a GPU and its host.
 */
export const COLLECTIVES = [
  "allToAllGlobal",
  "allToAllIntra",
  "allReduceGlobal",
  "allReduceCross",
  "hostToDevice",
] as const;
export type Collective = (typeof COLLECTIVES)[number];

/** What a row-tiers plan minimises: the sum of the collectives, the exposed ones, or the slower of the two channels. */
export const ROW_TIERS_OBJECTIVES = ["serial", "exposed", "channels"] as const;
export type RowTiersObjective = (typeof ROW_TIERS_OBJECTIVES)[number];

/** `nodes · gpusPerNode` GPUs, all alike. */
export interface Cluster {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly hbmBytesPerGpu?: number;
  /** What the tier `host` may use on each node. */
  readonly hostBytesPerNode?: number;
  /** Bytes per second per GPU. Every collective of the instance's tiers is there; others may be missing. */
  readonly bandwidth: Readonly<Partial<Record<Collective, number>>>;
  /** Seconds per call. */
  readonly latency: Readonly<Record<Collective, number>>;
}

/** Rows and how often one sample reads each of them. */
export interface HistogramAccess {
  readonly kind: "histogram";
  /** [rows, expected appearances of each in one sample], in the file's order; the rows add up to the table's. */
  readonly bins: readonly (readonly [rows: number, appearances: number])[];
}

/** Points of the curve "the hottest r rows take this share of all accesses". */
export interface CoverageAccess {
  readonly kind: "coverage";
  /** Accesses per sample, over all rows. */
  readonly meanLength: number;
  readonly points: readonly CoveragePoint[];
}

export interface CoveragePoint {
  readonly rows: number;
  /** Share of accesses that the hottest `rows` rows take, in (0, 1]. */
  readonly share: number;
  /** Expected appearances in one sample of the row at this rank, where the file fixes it. */
  readonly appearances?: number;
}

/** Row r = 1, 2, … appears min(1, c·(r + shift)^−exponent) times in a sample, c such that all add up to `meanLength`. */
export interface ZipfMandelbrotAccess {
  readonly kind: "zipfMandelbrot";
  readonly meanLength: number;
  readonly exponent: number;
  readonly shift: number;
}

/** Measured accesses per row over a number of samples. */
export interface CountsAccess {
  readonly kind: "counts";
  /** As the instance writes it: relative to the instance's file. */
  readonly file: string;
  readonly samples: number;
}

export type Access = HistogramAccess | CoverageAccess | ZipfMandelbrotAccess | CountsAccess;

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

export type Instance = RowTiersInstance | TablePlacementInstance | TowerPartitionInstance;
