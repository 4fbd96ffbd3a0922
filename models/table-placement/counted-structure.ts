import type { Rational } from "../../src/exact/rational.js";
import type { CountedClass, CountedNeed } from "./counted-options.js";

/** Shards that need the same, whatever their tables. */
export interface CountedShards {
  readonly need: CountedNeed;
  /** Σ over devices − Σ shards·tables = 0. */
  readonly row: number;
  /** By device, or by node for shards that fill one. */
  readonly columns: readonly number[];
}

/** What all devices of a node carry alike, in whole steps, rounded down. */
export interface CountedBase {
  readonly column: number;
  /** 0 ≤ base − step·column ≤ step − 1. */
  readonly row: number;
}

/** Which rows and columns of the counted program play which part; indices are the program's. */
export interface CountedStructure {
  readonly unit: Rational;
  /** The largest cost, in units. */
  readonly largest: number;
  readonly classes: readonly CountedClass[];
  /** By class and option, the column that counts its tables. */
  readonly chosen: readonly (readonly number[])[];
  /** By class, Σ over its options = tables. */
  readonly optionRows: readonly number[];
  /** Shards that may be on any device; the dearest first. */
  readonly free: readonly CountedShards[];
  /** Shards that are on every device of a node. */
  readonly filling: readonly CountedShards[];
  /** By node. */
  readonly bases: readonly CountedBase[];
  readonly step: bigint;
  /** By device: Σ free + base ≤ z. */
  readonly loadRows: readonly number[];
  /** By device: Σ free + step·column ≤ z. */
  readonly spareRows: readonly number[];
  /** By device: Σ bytes ≤ its memory; none where memory is set aside. */
  readonly hbmRows: readonly number[];
  /** Of a device. */
  readonly hbmBytes: number;
}
