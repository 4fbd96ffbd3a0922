import type { Access } from "../access.js";
import type { CachesChoice, HotRowsChoice } from "../hot-rows.js";

/** Their two million pairs are what a search has memory for: a slip must not end in a crash. */
export const MAX_FEATURES = 2000;

/** Which features belong together: those that look alike (distance = 1 − interaction), or those that do not (= interaction). */
export const TOWER_STRATEGIES = ["coherent", "diverse"] as const;
export type TowerStrategy = (typeof TOWER_STRATEGIES)[number];

/**
 * What is summed over the towers: `pairwise` Σ_{i<j} distance, `kmeans` (1/size) · Σ_{i<j} distance², the sum of squares
 * around the tower's centre.
 */
export const TOWER_OBJECTIVES = ["pairwise", "kmeans"] as const;
export type TowerObjective = (typeof TOWER_OBJECTIVES)[number];

/** Divide the sparse features of a model into towers (DMT, section 3.3). */
export interface TowerPartitionInstance {
  readonly problem: "tower-partition";
  readonly name: string;
  /** Where the numbers come from. */
  readonly source?: string;
  /** T. Where the joint choice is free (`joint.towers` is `null`): the most that the cluster and the features allow. */
  readonly towers: number;
  /** The largest tower has at most this multiple of the smallest one's features; 1: sizes differ by at most one. */
  readonly sizeRatio: number;
  readonly strategy: TowerStrategy;
  readonly objective: TowerObjective;
  /** Names, F of them, all different. */
  readonly features: readonly string[];
  /** I(i, j) in [0, 1], symmetric, F × F: as the instance has it, or in a file (.csv, .npy) beside it. */
  readonly interaction: GivenInteraction | FileInteraction;
  /** A weight for each feature; `null` where the instance gives none. */
  readonly load: TowerLoad | null;
  /** Where the instance has a cluster and tables: what hosts, towers and placement are chosen together by. */
  readonly joint?: TowerJoint;
  /** The file it was read from, for relative paths and messages; `-` is standard input. */
  readonly file: string;
  /** Lower-case hexadecimal: SHA-256 of the file's bytes, or as for counts files where the matrix is in a file. */
  readonly sha256: string;
}

export interface GivenInteraction {
  readonly kind: "given";
  readonly rows: readonly (readonly number[])[];
}

export interface FileInteraction {
  readonly kind: "file";
  /** As the instance writes it: relative to the instance's file. */
  readonly file: string;
}

export interface TowerLoad {
  /** One for each feature, not negative. */
  readonly weights: readonly number[];
  /** The most that a tower may carry, as a multiple of the mean load of a tower; `null`: loads are told, and limit nothing. */
  readonly ratio: number | null;
}

/** GPUs whose numbers `cluster.hardware` stands for (DMT, table 1). */
export const TOWER_HARDWARE = ["V100", "A100", "H100"] as const;

/** The cluster, the training and the tables that the joint choice needs (DMT, section 3.1). */
export interface TowerJoint {
  /** T; `null`: every number of towers that divides the nodes and leaves none empty is tried. */
  readonly towers: number | null;
  readonly cluster: TowerCluster;
  /** B: samples per GPU and iteration. */
  readonly batchPerGpu: number;
  /** Bytes of an element of a vector on the wire. */
  readonly wireElementBytes: number;
  /** One for each feature, in the order of the features. */
  readonly tables: readonly TowerTable[];
  /** `null`: vectors leave their towers as they are. */
  readonly modules: TowerModules | null;
  /** The hottest rows of tables with `access` may be on every GPU of their tower; absent: not. */
  readonly hotRows?: HotRowsChoice;
  /** Tables with `access` may be in the host's memory, with a cache of one of these sizes; absent: not. */
  readonly caches?: CachesChoice;
}

/** `nodes · gpusPerNode` GPUs, all alike. */
export interface TowerCluster {
  readonly nodes: number;
  /** L. */
  readonly gpusPerNode: number;
  /** What tables may use of each GPU's memory; `null`: memory does not limit. */
  readonly hbmBytesPerGpu: number | null;
  /** Where tables may be in the host's memory: what each GPU may use of it (`null`: it does not limit), and reads in a second. */
  readonly host?: { readonly bytesPerGpu: number | null; readonly bytesPerSecond: number };
  /** Stands for the bandwidths that are not given. */
  readonly hardware: (typeof TOWER_HARDWARE)[number] | null;
  /** Between the GPUs of a host (NVLink). */
  readonly insideHost: TowerLink;
  /** Between hosts. */
  readonly acrossHosts: TowerLink;
}

export interface TowerLink {
  /** Seconds that a collective takes beside its bytes. */
  readonly latencySeconds: number;
  /** Bytes per second and GPU in one direction, by the ranks of the collective, rising; `null`: as the hardware has it. */
  readonly bandwidth: readonly { readonly world: number; readonly bytesPerSecond: number }[] | null;
}

/** The embedding table of a feature. */
export interface TowerTable {
  readonly rows: number;
  /** N: elements of a row. */
  readonly dim: number;
  /** Bytes of an element in memory. */
  readonly elementBytes: number;
  /** h: mean ids per sample. */
  readonly poolingFactor: number;
  /** How often its rows are read; absent: not known. */
  readonly access?: Access;
}

/** A tower of F_t features puts out width · (perFeature · F_t + perTower) elements per sample (DMT, listings 1 and 2). */
export interface TowerModules {
  readonly width: number;
  readonly perFeature: number;
  readonly perTower: number;
}
