import type { Basis, Highs, Model } from "highs";
import { disposeQuietly, highsModel, iterationsOf, NO_ITERATION_LIMIT } from "./highs-module.js";
import { guarded, isBroken, sharedHighs } from "./shared-highs.js";

/** Entries of a column or a row: indices and values. */
export interface SparseEntries {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** What a linear program claims to come to, in doubles. */
export interface GrowingAnswer {
  readonly objective: number;
  readonly columns: Float64Array;
  readonly duals: Float64Array;
}

/** What costs or prices are scaled by where tolerances are absolute: the mean of their sizes, 1 where all are 0. */
export function meanSize(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + Math.abs(value) / values.length, 0);
  return mean > 0 && Number.isFinite(mean) ? mean : 1;
}

/**
 * A linear program in doubles inside HiGHS that grows by columns and rows between solves (the master of column generation and
 * its cuts), warm from basis to basis; minimised. Scaling is the caller's. Nothing that it says is trusted. Throws `SolverError` where
 * HiGHS dies. `tolerance`: by how much values and reduced costs may be beyond their bounds.
 */
export async function openGrowingLp(
  rows: readonly (readonly [lower: number, upper: number])[],
  tolerance = HIGHS_TOLERANCE,
): Promise<GrowingLp> {
  return new GrowingLp(await sharedHighs(), rows, tolerance);
}

/** HiGHS's own. */
const HIGHS_TOLERANCE = 1e-7;

/** HiGHS's own value where nothing limits. */
const NO_CUTOFF = Number.MAX_VALUE;

export class GrowingLp {
  readonly #highs: Highs;
  readonly #model: Model;
  /** What {@link probe} begins from. */
  #basis: Basis | null = null;
  #columns = 0;
  #rows: number;
  /** Iterations of the last solve. */
  iterations = 0;

  constructor(highs: Highs, rows: readonly (readonly [lower: number, upper: number])[], tolerance: number) {
    this.#highs = highs;
    this.#rows = rows.length;
    const none = new Float64Array(0);
    const empty = {
      columnCount: 0,
      rowCount: rows.length,
      ...{ cost: none, columnLower: none, columnUpper: none, values: none, indices: new Int32Array(0) },
      starts: new Int32Array(rows.length + 1),
      rowLower: Float64Array.from(rows, ([lower]) => lower),
      rowUpper: Float64Array.from(rows, ([, upper]) => upper),
    };
    this.#model = this.#guard(() => highsModel(highs, empty));
    const tolerances = { primal_feasibility_tolerance: tolerance, dual_feasibility_tolerance: tolerance };
    const options = { solver: "simplex", presolve: "off", ...tolerances };
    this.#guard(() => this.#model.options.set(options));
  }

  get columnCount(): number {
    return this.#columns;
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** Adds a column; returns its index. */
  addColumn(cost: number, lower: number, upper: number, { indices, values }: SparseEntries): number {
    const entries = { indices: Int32Array.from(indices), values: Float64Array.from(values) };
    this.#guard(() => this.#model.addCol(cost, lower, upper, entries));
    return this.#columns++;
  }

  /** Adds a row over the columns so far; returns its index. */
  addRow(lower: number, upper: number, { indices, values }: SparseEntries): number {
    const entries = { indices: Int32Array.from(indices), values: Float64Array.from(values) };
    this.#guard(() => this.#model.addRow(lower, upper, entries));
    return this.#rows++;
  }

  /** Takes out the rows from one on whose slack is in the basis of the last solve; says which. Those after them move up. */
  dropLooseRows(from: number): ReadonlySet<number> {
    if (from === this.#rows) return new Set();
    const { rowStatus } = this.#guard(() => this.#model.getBasis());
    const { basic } = this.#highs.constants.basisStatus;
    const loose = [...rowStatus.keys()].filter((row) => row >= from && rowStatus[row] === basic);
    if (loose.length > 0) this.#guard(() => this.#model.deleteRows({ kind: "set", indices: Int32Array.from(loose) }));
    this.#rows -= loose.length;
    return new Set(loose);
  }

  /** By column, whether it is in the basis. */
  isBasic(): (column: number) => boolean {
    const { colStatus } = this.#guard(() => this.#model.getBasis());
    const { basic } = this.#highs.constants.basisStatus;
    return (column) => colStatus[column] === basic;
  }

  /** Takes columns out, none of them in the basis, given in rising order; those after them move up. */
  removeColumns(columns: readonly number[]): void {
    this.#guard(() => this.#model.deleteCols({ kind: "set", indices: Int32Array.from(columns) }));
    this.#columns -= columns.length;
  }

  setBounds(column: number, lower: number, upper: number): void {
    this.#guard(() => this.#model.changeColBounds(column, lower, upper));
  }

  setCost(column: number, cost: number): void {
    this.#guard(() => this.#model.changeColCost(column, cost));
  }

  /**
   * The least objective, infinite where there is no feasible point; `null` where HiGHS gave up, there is no least one, or
   * `shouldStop`, asked in every iteration, had it stop.
   */
  solve(shouldStop?: () => boolean): number | null {
    const { modelStatus } = this.#highs.constants;
    let status = this.#run(shouldStop);
    this.iterations = iterationsOf(this.#model);
    if (status !== modelStatus.optimal && status !== modelStatus.infeasible && status !== modelStatus.interrupted) {
      // A warm start can lead the simplex astray: once more, from nothing.
      this.#guard(() => this.#model.clearSolver());
      status = this.#run(shouldStop);
      this.iterations += iterationsOf(this.#model);
    }
    if (status === modelStatus.infeasible) return Number.POSITIVE_INFINITY;
    if (status !== modelStatus.optimal) return null;
    return this.#guard(() => this.#model.getObjectiveValue());
  }

  /** The basis of the last solve is what probes begin from; asked for before bounds change. */
  keepBasis(): void {
    this.#basis = this.#guard(() => this.#model.getBasis());
  }

  /** The next solve begins from the basis kept. */
  restoreBasis(): void {
    const basis = this.#basis;
    if (basis !== null) this.#guard(() => this.#model.setBasis(basis));
  }

  /**
   * What the objective is at least, as far as so many iterations of the dual simplex from the basis kept say; infinite
   * where there is no feasible point, and beyond `cutoff` they end. `null` where HiGHS gave up.
   */
  probe(maxIterations: number, cutoff: number): number | null {
    const { modelStatus } = this.#highs.constants;
    const { options } = this.#model;
    this.restoreBasis();
    return this.#guard(() => {
      options.set("simplex_iteration_limit", maxIterations);
      options.set("objective_bound", cutoff);
      try {
        const { modelStatus: status } = this.#model.run();
        this.iterations = iterationsOf(this.#model);
        if (status === modelStatus.infeasible) return Number.POSITIVE_INFINITY;
        if (status === modelStatus.objectiveBound) return cutoff;
        const isKnown = status === modelStatus.optimal || status === modelStatus.iterationLimit;
        return isKnown ? Number(this.#model.info.get("objective_function_value")) : null;
      } finally {
        options.set("simplex_iteration_limit", NO_ITERATION_LIMIT);
        options.set("objective_bound", NO_CUTOFF);
      }
    });
  }

  /** Values and duals of the last solve, which found an optimum. */
  answer(): GrowingAnswer {
    const { colValue, rowDual } = this.#guard(() => this.#model.getSolution());
    return { objective: this.#guard(() => this.#model.getObjectiveValue()), columns: colValue, duals: rowDual };
  }

  dispose(): void {
    if (!isBroken(this.#highs)) disposeQuietly(this.#model);
  }

  #run(shouldStop: (() => boolean) | undefined): number {
    const { simplexInterrupt } = this.#highs.constants.callbackType;
    const interrupt = (event: { interrupt(): void }): undefined => {
      if (shouldStop?.()) event.interrupt();
    };
    const callbacks = shouldStop === undefined ? {} : { [simplexInterrupt]: interrupt };
    return this.#guard(() => this.#model.run(callbacks).modelStatus);
  }

  #guard<T>(work: () => T): T {
    return guarded(this.#highs, work);
  }
}
