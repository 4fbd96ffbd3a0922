import type { Claim, SolveOptions } from "./claim.js";

/**
 * A program as solvers take it: typed arrays of doubles, always to be minimised, every row and the objective brought to
 * sensible magnitudes. Structured-cloneable, so that it can be posted to a worker. Absent bounds are ±Infinity.
 */
export interface ScaledModel extends DoubleArrays {
  readonly columnCount: number;
  readonly rowCount: number;
  /** 1 for an integer column; absent for a linear program. */
  readonly integrality?: Int32Array;
}

/** The numbers of a program in doubles. */
export interface DoubleArrays {
  readonly cost: Float64Array;
  readonly columnLower: Float64Array;
  readonly columnUpper: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  /** Compressed rows: entries `starts[i]` to `starts[i + 1]` of `indices` and `values` are row i. */
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/**
 * Adds factor · Aᵀy to the sums by column; `sizes` are kept at least as large as every term of theirs. Rows with the
 * multiplier 0 are passed over.
 */
export function addRows(
  { starts, indices, values }: DoubleArrays,
  y: Float64Array,
  factor: 1 | -1,
  sums: Float64Array,
  sizes?: Float64Array,
): void {
  for (let i = 0; i < y.length; i++) {
    const multiplier = factor * (y[i] as number);
    if (multiplier === 0) continue;
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) {
      const j = indices[k] as number;
      const term = multiplier * (values[k] as number);
      sums[j] = (sums[j] as number) + term;
      if (sizes !== undefined) sizes[j] = Math.max(sizes[j] as number, Math.abs(term));
    }
  }
}

/** What a backend answers about a {@link ScaledModel}, in the model's own scaled units. */
export interface RawAnswer
  extends Pick<Claim, "status" | "point" | "rowDuals" | "nodes" | "iterations" | "limitReached"> {
  /** Objective of the point, without the program's constant. */
  readonly objective?: number;
  /** The backend's lower bound, without the program's constant. */
  readonly bound?: number;
}

/** Of a program that has rows alone, all of which 0 keeps: no solver is asked. */
export function answerWithoutColumns({ rowCount }: ScaledModel): RawAnswer {
  const [point, rowDuals] = [new Float64Array(0), new Float64Array(rowCount)];
  return { status: "optimal", point, rowDuals, objective: 0, bound: 0 };
}

/** What a backend is asked to do with a {@link ScaledModel}; times in seconds, gaps in scaled units. */
export interface RunOptions extends Pick<SolveOptions, "timeLimitSeconds" | "iterationLimit" | "start" | "method"> {
  readonly relativeGap: number;
  readonly absoluteGap: number;
  /** Scaled constant of the objective; only a relative gap depends on it. */
  readonly offset: number;
  readonly seed: number;
}
