import type { NetworkTable } from "./features.js";

/** Measured costs of sets of tables: what networks learn from. The file's format is in instances/costs/README.md. */
export interface CostData {
  /** Of the file, for messages and for the weights that are learned from it. */
  readonly file: string;
  /** SHA-256 of the file's bytes and those of its list of tables, lower-case hexadecimal. */
  readonly sha256: string;
  readonly source: string;
  readonly tables: readonly NetworkTable[];
  /** At least {@link FEWEST_SETS}. */
  readonly sets: readonly MeasuredSet[];
}

export interface MeasuredSet {
  /** Indices into the tables; one that is there twice is there twice. */
  readonly tables: readonly number[];
  /** Milliseconds that a device takes for all of them together. */
  readonly cost: number;
}

/** Fewer cannot be parted into what is learned from, what chooses and what tests. */
export const FEWEST_SETS = 10;

/** Sets by index, parted at random: 80 % to learn from, 10 % to choose the best epoch by, 10 % to test (NeuroShard's code). */
export interface Split {
  readonly train: readonly number[];
  readonly validation: readonly number[];
  readonly test: readonly number[];
}
