import { performance } from "node:perf_hooks";
import type { Basis, BasisStatus, Highs, Model, ModelStatusCode } from "highs";
import type { Program, Row } from "../program/program.js";
import type { Claim } from "./claim.js";
import { type DoubleProgram, doubleProgram, ownBounds } from "./double-program.js";
import { excludesEveryPoint } from "./farkas.js";
import { disposeQuietly, highsModel, iterationsOf, NO_ITERATION_LIMIT, readAnswer } from "./highs-module.js";
import { dualTolerances, restoreClaim } from "./restore.js";
import { answerWithoutColumns, type RawAnswer } from "./scaled-model.js";
import { type Scaling, scaleProgram } from "./scaling.js";
import { guarded, isBroken, sharedHighs } from "./shared-highs.js";
import { SolverError } from "./solver-error.js";
import { ContradictoryClaim, type DualTolerances, validateAgainst } from "./validate.js";

/** A claim about a linear relaxation. */
export interface RelaxationClaim extends Claim {
  /**
   * With `infeasible`, where HiGHS gives one: row multipliers y (m values) such that no x within the column bounds has
   * Σ yᵢ·(row i) as large as the rows demand: Σ over y > 0 of yᵢ·lowerᵢ + Σ over y < 0 of yᵢ·upperᵢ exceeds
   * max over the box of (Aᵀy)·x. Checked in doubles before it is handed out. A claim nevertheless.
   */
  readonly farkas?: Float64Array;
}

/** Where a variable is in a basis: in it, or at a bound; one without bounds is at zero. */
export type Place = "basic" | "lower" | "upper" | "zero";

/** The places of the columns and of the rows' activities. */
export interface BasisClaim {
  readonly columns: readonly Place[];
  readonly rows: readonly Place[];
}

/** See {@link RelaxationSession.tableauRows}. */
export interface TableauRow {
  readonly column: number;
  /** By row, in the program's units. */
  readonly multipliers: Float64Array;
}

/**
 * Opens the linear relaxation of a program (integrality dropped) in this thread, for algorithms that solve it thousands
 * of times. Throws `SolverError` as {@link scaleProgram} does, and (`out-of-memory`, `crash`) when HiGHS cannot hold
 * it.
 */
export async function openRelaxation(program: Program): Promise<RelaxationSession> {
  const scaling = scaleProgram(program, true);
  return new RelaxationSession(program, scaling, await sharedHighs());
}

/** The optimum of the linear relaxation of a program that is solved once; `null` where HiGHS has none that holds. */
export async function solveRelaxation(program: Program): Promise<RelaxationClaim | null> {
  try {
    const session = await openRelaxation(program);
    try {
      return session.solve();
    } finally {
      session.dispose();
    }
  } catch (error) {
    if (error instanceof SolverError || error instanceof ContradictoryClaim) return null;
    throw error;
  }
}

/** The linear relaxation of a program, kept inside HiGHS and solved again after its bounds change. */
export class RelaxationSession {
  readonly #program: Program;
  readonly #highs: Highs;
  #scaling: Scaling;
  #doubles: DoubleProgram;
  #dualTolerances: DualTolerances;
  #model: Model;
  /** The rows behind those of the program. */
  #cuts: readonly Row[] = [];
  readonly #crossedColumns = new Set<number>();
  readonly #crossedRows = new Set<number>();
  readonly #brokenEmptyRows = new Set<number>();
  #disposed = false;
  /** With which the last solve ended, once it was asked for. */
  #basis: Basis | null = null;
  /** Of the last solve, in HiGHS's units. */
  #objective = 0;
  /** Iterations of the last solve. */
  iterations = 0;

  constructor(program: Program, scaling: Scaling, highs: Highs) {
    this.#program = program;
    this.#highs = highs;
    this.#scaling = scaling;
    this.#doubles = ownBounds(doubleProgram(program));
    this.#dualTolerances = dualTolerances(scaling);
    this.#model = this.#open();
  }

  #open(): Model {
    const model = this.#guard(() => highsModel(this.#highs, { ...this.#scaling.model }));
    this.#guard(() => model.options.set({ solver: "simplex" }));
    for (const set of [this.#crossedColumns, this.#crossedRows, this.#brokenEmptyRows]) set.clear();
    for (let j = 0; j < this.#scaling.model.columnCount; j++) this.#noteColumn(j);
    for (let i = 0; i < this.#scaling.model.rowCount; i++) this.#noteRow(i);
    return model;
  }

  /** Puts rows behind those of the program, in place of the ones put there before; the basis of rows that stay is kept. */
  setCuts(cuts: readonly Row[]): void {
    const program: Program = { ...this.#program, rows: [...this.#program.rows, ...cuts] };
    const scaling = scaleProgram(program, true);
    const { columnLower, columnUpper, rowLower, rowUpper } = this.#doubles;
    const basis = this.#guard(() => this.#basis ?? (this.#hasBasis ? this.#model.getBasis() : null));
    const own = this.#program.rows.length;
    const statusOf = new Map(this.#cuts.map((cut, k) => [cut, basis?.rowStatus[own + k] as BasisStatus]));
    if (!isBroken(this.#highs)) disposeQuietly(this.#model);
    this.#scaling = scaling;
    this.#doubles = ownBounds(doubleProgram(program));
    this.#dualTolerances = dualTolerances(scaling);
    // HiGHS is given its columns' bounds at once; where they cross it is not asked, and has those of the program.
    const { model, columnFactors } = scaling;
    for (let j = 0; j < columnLower.length; j++) {
      const [low, high, factor] = [columnLower[j] as number, columnUpper[j] as number, columnFactors[j] as number];
      this.#doubles.columnLower[j] = low;
      this.#doubles.columnUpper[j] = high;
      if (low > high) continue;
      model.columnLower[j] = low / factor;
      model.columnUpper[j] = high / factor;
    }
    this.#model = this.#open();
    for (let i = 0; i < own; i++) {
      if (rowLower[i] === this.#doubles.rowLower[i] && rowUpper[i] === this.#doubles.rowUpper[i]) continue;
      this.setRowBounds(i, bound(rowLower[i]), bound(rowUpper[i]));
    }
    this.#cuts = cuts;
    if (basis === null) return;
    const { basic } = this.#highs.constants.basisStatus;
    const rowStatus = [...basis.rowStatus.slice(0, own), ...cuts.map((cut) => statusOf.get(cut) ?? basic)];
    try {
      this.#model.setBasis({ colStatus: basis.colStatus, rowStatus: rowStatus as BasisStatus[] });
    } catch (error) {
      // No basis to start from is no loss but time.
      if (!(error instanceof this.#highs.errors.HighsError)) this.#guard(() => rethrow(error));
    }
  }

  /**
   * Rows of the simplex tableau of the last solve, one for each basic column asked for that has one: multipliers of rows
   * and cuts whose sum has the column once, and no other basic column but for rounding. Empty where HiGHS has no basis.
   */
  tableauRows(columns: readonly number[]): readonly TableauRow[] {
    const { rowFactors } = this.#scaling;
    const wanted = new Set(columns);
    try {
      const rows: TableauRow[] = [];
      this.#model.getBasicVariables().forEach((column, position) => {
        if (!wanted.has(column)) return;
        const { values } = this.#model.getBasisInverseRow(position);
        const factor = this.#scaling.columnFactors[column] as number;
        const multipliers = values.map((value, i) => value * (rowFactors[i] as number) * factor);
        rows.push({ column, multipliers });
      });
      return rows;
    } catch (error) {
      if (error instanceof this.#highs.errors.HighsError) return [];
      return this.#guard(() => rethrow(error));
    }
  }

  /** Sets a column's bounds, in the program's units; `null` is none. Crossed bounds make the program infeasible. */
  setColumnBounds(column: number, lower: number | null, upper: number | null): void {
    const factor = requireIndex(this.#scaling.columnFactors, column, "column");
    // A power of two, so that nothing is rounded.
    const [low, high] = this.#setBounds("column", column, lower, upper, 1 / factor);
    this.#noteColumn(column);
    if (low <= high) this.#guard(() => this.#model.changeColBounds(column, low / factor, high / factor));
  }

  /** Sets a row's bounds. */
  setRowBounds(row: number, lower: number | null, upper: number | null): void {
    const factor = requireIndex(this.#scaling.rowFactors, row, "row");
    const [low, high] = this.#setBounds("row", row, lower, upper, factor);
    this.#noteRow(row);
    if (low <= high) this.#guard(() => this.#model.changeRowBounds(row, low * factor, high * factor));
  }

  /** Here and in HiGHS's units; returns the bounds here. */
  #setBounds(of: "column" | "row", index: number, lower: number | null, upper: number | null, factor: number) {
    const bounds = sides(lower, upper);
    for (const [arrays, times] of [[this.#doubles, 1] as const, [this.#scaling.model, factor] as const]) {
      arrays[`${of}Lower`][index] = bounds[0] * times;
      arrays[`${of}Upper`][index] = bounds[1] * times;
    }
    return bounds;
  }

  /**
   * Solves with the simplex, from the basis of the last solve. Blocks the thread. Throws `SolverError` when HiGHS dies (open
   * a new session then) and `ContradictoryClaim`.
   */
  solve(): RelaxationClaim {
    const started = performance.now();
    this.#basis = null;
    const answer = this.#guard(() => this.#run());
    const farkas = answer.status === "infeasible" ? this.#guard(() => this.#farkas()) : undefined;
    const claim = restoreClaim(this.#scaling, answer, "highs", (performance.now() - started) / 1000);
    return validateAgainst(this.#doubles, { ...claim, ...(farkas && { farkas }) }, true, this.#dualTolerances);
  }

  /**
   * The basis with which the last solve ended; `null` where HiGHS has none. A claim too: it may be neither optimal nor
   * one.
   */
  basis(): BasisClaim | null {
    const { basisStatus } = this.#highs.constants;
    const place = (status: number): Place => {
      if (status === basisStatus.basic) return "basic";
      if (status === basisStatus.zero) return "zero";
      return status === basisStatus.upper ? "upper" : "lower";
    };
    return this.#guard(() => {
      // What presolve settles alone has no basis. HiGHS was not asked where bounds cross, or there is no column.
      const wasAsked = !this.#hasNoPoint && this.#scaling.model.columnCount > 0;
      if (!this.#hasBasis && wasAsked) this.#runWithoutPresolve();
      if (!this.#hasBasis) return null;
      try {
        const { colStatus, rowStatus } = this.#model.getBasis();
        return { columns: Array.from(colStatus, place), rows: Array.from(rowStatus, place) };
      } catch (error) {
        // Valid by its word, but of a program that has changed since, and was not solved to an end.
        if (error instanceof this.#highs.errors.HighsError) return null;
        throw error;
      }
    });
  }

  /** Frees the session's memory inside HiGHS, which no garbage collector does. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (!isBroken(this.#highs)) disposeQuietly(this.#model);
  }

  /**
   * By how much the minimised objective, in the solver's own units, rises within so many iterations from the last solve's basis
   * when a column's bounds are others; ∞ where nothing is left. A hint for branching, and nothing more.
   */
  probe(column: number, lower: number | null, upper: number | null, maxIterations: number): number {
    const { columnLower, columnUpper } = this.#doubles;
    const [before, after] = [bound(columnLower[column]), bound(columnUpper[column])];
    return this.#guard(() => {
      const { modelStatus } = this.#highs.constants;
      // HiGHS gives a basis until bounds change, and takes it afterwards.
      this.#basis ??= this.#model.getBasis();
      this.setColumnBounds(column, lower, upper);
      this.#model.options.set("simplex_iteration_limit", maxIterations);
      try {
        const { modelStatus: status } = this.#model.run();
        this.iterations = iterationsOf(this.#model);
        if (status === modelStatus.infeasible) return Number.POSITIVE_INFINITY;
        const known = status === modelStatus.optimal || status === modelStatus.iterationLimit;
        return known ? Math.max(0, Number(this.#model.info.get("objective_function_value")) - this.#objective) : 0;
      } finally {
        this.#model.options.set("simplex_iteration_limit", NO_ITERATION_LIMIT);
        this.setColumnBounds(column, before, after);
        this.#model.setBasis(this.#basis);
      }
    });
  }

  #run(): RawAnswer {
    if (this.#hasNoPoint) {
      this.iterations = 0;
      return { status: "infeasible" };
    }
    if (this.#scaling.model.columnCount === 0) return answerWithoutColumns(this.#scaling.model);
    const { modelStatus } = this.#highs.constants;
    let { modelStatus: status } = this.#model.run();
    if (status === modelStatus.unboundedOrInfeasible || status === modelStatus.unknown) {
      // Presolve cannot tell the two apart, and a warm start can lead the simplex astray: once more, from nothing.
      status = this.#runWithoutPresolve();
    }
    this.iterations = iterationsOf(this.#model);
    this.#objective = Number(this.#model.info.get("objective_function_value"));
    return readAnswer(this.#highs, this.#model, status, false);
  }

  #runWithoutPresolve(): ModelStatusCode {
    this.#model.clearSolver();
    this.#model.options.set("presolve", "off");
    const { modelStatus } = this.#model.run();
    this.#model.options.set("presolve", "choose");
    return modelStatus;
  }

  get #hasBasis(): boolean {
    return this.#model.info.get("basis_validity") === this.#highs.constants.basisValidity.valid;
  }

  get #hasNoPoint(): boolean {
    return this.#crossedColumns.size + this.#crossedRows.size + this.#brokenEmptyRows.size > 0;
  }

  #noteColumn(column: number): void {
    const { columnLower, columnUpper } = this.#doubles;
    note(this.#crossedColumns, column, (columnLower[column] as number) > (columnUpper[column] as number));
  }

  #noteRow(row: number): void {
    const { rowLower, rowUpper, starts } = this.#doubles;
    const [lower, upper] = [rowLower[row] as number, rowUpper[row] as number];
    note(this.#crossedRows, row, lower > upper);
    // HiGHS grants an empty row its absolute tolerance; there is nothing in it that could be inexact.
    note(this.#brokenEmptyRows, row, starts[row] === starts[row + 1] && (lower > 0 || upper < 0));
  }

  #farkas(): Float64Array | undefined {
    if (this.#crossedColumns.size + this.#crossedRows.size > 0) return undefined;
    const [emptyRow] = this.#brokenEmptyRows;
    if (emptyRow !== undefined) {
      const y = new Float64Array(this.#doubles.rowLower.length);
      y[emptyRow] = (this.#doubles.rowLower[emptyRow] as number) > 0 ? 1 : -1;
      return y;
    }
    const ray = this.#model.getDualRay()?.values;
    if (ray === undefined) return undefined;
    const y = ray.map((value, i) => value * (this.#scaling.rowFactors[i] as number));
    return [y, y.map((value) => -value)]
      .map((multipliers) => this.#priced(multipliers))
      .find((multipliers) => excludesEveryPoint(this.#doubles, multipliers));
  }

  /** Without what rounding has left at sides that rows do not have. */
  #priced(multipliers: Float64Array): Float64Array {
    const { rowLower, rowUpper } = this.#doubles;
    return multipliers.map((y, i) => (Number.isFinite(y > 0 ? rowLower[i] : rowUpper[i]) ? y : 0));
  }

  #guard<T>(work: () => T): T {
    if (this.#disposed) throw new SolverError("unsupported", "this relaxation is disposed of; open another one");
    return guarded(this.#highs, work);
  }
}

function bound(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

function rethrow(error: unknown): never {
  throw error;
}

function note(set: Set<number>, index: number, holds: boolean): void {
  if (holds) set.add(index);
  else set.delete(index);
}

function sides(lower: number | null, upper: number | null): [number, number] {
  const low = lower ?? Number.NEGATIVE_INFINITY;
  const high = upper ?? Number.POSITIVE_INFINITY;
  if (Number.isNaN(low) || Number.isNaN(high)) throw new RangeError("a bound must be a number or null, not NaN");
  return [low, high];
}

function requireIndex(factors: Float64Array, index: number, kind: string): number {
  const factor = factors[index];
  if (factor === undefined) throw new RangeError(`there is no ${kind} ${index}; there are ${factors.length}`);
  return factor;
}
