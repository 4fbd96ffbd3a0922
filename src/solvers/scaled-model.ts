import type { Claim, ClaimStatus } from "./claim.js";

/**
 * A program as solvers take it: typed arrays of doubles, always to be minimised, every row and the objective brought to
 * sensible magnitudes. Structured-cloneable, so that it can be posted to a worker. Absent bounds are ±Infinity.
 */
export interface ScaledModel {
  readonly columnCount: number;
  readonly rowCount: number;
  readonly cost: Float64Array;
  readonly columnLower: Float64Array;
  readonly columnUpper: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  /** Compressed rows: entries `starts[i]` to `starts[i + 1]` of `indices` and `values` are row i. */
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
  /** 1 for an integer column; absent for a linear program. */
  readonly integrality?: Int32Array;
}

/** What a backend answers about a {@link ScaledModel}, in the model's own scaled units. */
export interface RawAnswer {
  readonly status: ClaimStatus;
  readonly point?: Float64Array;
  readonly rowDuals?: Float64Array;
  /** Objective of the point, without the program's constant. */
  readonly objective?: number;
  /** The backend's lower bound, without the program's constant. */
  readonly bound?: number;
  readonly nodes?: number;
  readonly iterations?: number;
  readonly limitReached?: Claim["limitReached"];
}

/** What a backend is asked to do with a {@link ScaledModel}; times in seconds, gaps in scaled units. */
export interface RunOptions {
  readonly timeLimitSeconds?: number;
  readonly iterationLimit?: number;
  readonly relativeGap: number;
  readonly absoluteGap: number;
  /** Scaled constant of the objective; only a relative gap depends on it. */
  readonly offset: number;
  readonly start?: Float64Array;
  readonly seed: number;
  readonly method?: "simplex" | "interior-point";
}
