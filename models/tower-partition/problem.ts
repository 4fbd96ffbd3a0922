import type { TowerObjective } from "../../src/instance/types/tower-partition.js";
import type { SizeWindow } from "../../src/program/grouping/grouping.js";

/** Divide F features into towers: an instance of tower-partition with its matrix read, as every method takes it. */
export interface TowerProblem {
  /** F names. */
  readonly features: readonly string[];
  readonly towers: number;
  readonly objective: TowerObjective;
  /** D(i, j), F × F by rows: 1 − I(i, j) (coherent) or I(i, j) (diverse), in [0, 1]; zero on the diagonal. */
  readonly distance: Float64Array;
  /** The sizes of all towers lie within one of these; see {@link sizeWindows}. Empty where no sizes fit. */
  readonly windows: readonly SizeWindow[];
  /** The weight of each feature, and the most that a tower may carry (loadRatio · the mean load of a tower). */
  readonly load: { readonly weights: readonly number[]; readonly most: number } | null;
}

/** The tower 0 … T−1 of each feature. */
export type TowerLabels = readonly number[];
