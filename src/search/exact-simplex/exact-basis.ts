import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import type { Place } from "../../solvers/highs-relaxation.js";
import { ExactSystem, type IntegerRow, modularRows } from "./exact-system.js";
import type { Fractions } from "./fractions.js";
import { Field, PRIMES } from "./modular.js";
import { ModularFactors } from "./modular-factors.js";
import type { StandardForm } from "./standard-form.js";

/** Asked with the entries of factors gone through. */
export type Stop = (entries: number) => boolean;

/** Thrown where a solve was stopped, and caught where the simplex was begun. */
export class Stopped extends Error {}

/**
 * A basis of a {@link StandardForm} and what it says, exactly. The basic columns are what the nonbasic rows' activities
 * say of them: a system as large as there are such rows (or columns), which is all that is ever factored; the other
 * rows' activities follow by multiplication.
 */
export class ExactBasis {
  readonly form: StandardForm;
  readonly places: readonly Place[];
  /** The basic columns and the nonbasic rows, rising: the columns and the rows of the system. */
  readonly basicColumns: readonly number[];
  readonly tightRows: readonly number[];
  /** By column or row: its number in the system, −1 where it is not in it. */
  readonly #columnAt: Int32Array;
  readonly #rowAt: Int32Array;
  readonly #system: ExactSystem;
  readonly #stop: Stop;

  private constructor(form: StandardForm, places: readonly Place[], stop: Stop) {
    const n = form.columnCount;
    this.form = form;
    this.places = places;
    this.#stop = stop;
    this.basicColumns = indicesOf(n, (j) => places[j] === "basic");
    this.tightRows = indicesOf(form.rows.length, (i) => places[n + i] !== "basic");
    this.#columnAt = positions(this.basicColumns, n);
    this.#rowAt = positions(this.tightRows, form.rows.length);
    const system = ExactSystem.of(this.tightRows.map((i) => restrict(form.rows[i] as IntegerRow, this.#columnAt)));
    if (system === null) throw new RangeError("the basis is singular");
    this.#system = system;
  }

  /**
   * The basis of as many as possible of the variables wanted in it: columns that depend on others are left out, rows
   * that have none left to determine come in. The others are at the bounds named, if they have them.
   */
  static near(form: StandardForm, wanted: readonly Place[], stop: Stop): ExactBasis {
    const n = form.columnCount;
    const columns = indicesOf(n, (j) => wanted[j] === "basic");
    const rows = indicesOf(form.rows.length, (i) => wanted[n + i] !== "basic");
    const at = positions(columns, n);
    const field = new Field(PRIMES[0]);
    const parts = rows.map((i) => restrict(form.rows[i] as IntegerRow, at));
    const factors = new ModularFactors(field, modularRows(parts, field), columns.length);
    const basic = new Uint8Array(form.size);
    for (let i = 0; i < form.rows.length; i++) basic[n + i] = 1;
    for (const k of factors.pivotColumns) basic[columns[k] as number] = 1;
    for (const k of factors.pivotRows) basic[n + (rows[k] as number)] = 0;
    const places = wanted.map((place, v) => (basic[v] === 1 ? "basic" : atBound(form, v, place)));
    return new ExactBasis(form, places, stop);
  }

  /** The basis with one variable in it that was not, and another out of it and at a bound. */
  exchanged(entering: number, leaving: number, to: Place): ExactBasis {
    const places = this.places.slice();
    places[entering] = "basic";
    places[leaving] = to;
    return new ExactBasis(this.form, places, this.#stop);
  }

  /** The same with a nonbasic variable at its other bound. */
  flipped(variable: number): ExactBasis {
    const places = this.places.slice();
    places[variable] = places[variable] === "lower" ? "upper" : "lower";
    return new ExactBasis(this.form, places, this.#stop);
  }

  /** The value of each variable. */
  values(): Fractions {
    const { form } = this;
    const n = form.columnCount;
    const fixed = this.places.map((place, v) => this.#boundAt(v, place));
    // Nonbasic values are bounds: over one denominator they are integers, and so is the right-hand side.
    let common = 1n;
    for (const value of fixed) if (value !== null) common = leastCommonMultiple(common, value.denominator);
    const whole = fixed.map((value) => value && (value.numerator * common) / value.denominator);
    const right = this.tightRows.map((i) => {
      const { columns, coefficients } = form.rows[i] as IntegerRow;
      let sum = whole[n + i] as bigint;
      for (let k = 0; k < columns.length; k++) {
        const value = whole[columns[k] as number] as bigint | null;
        if (value !== null && value !== 0n) sum -= (coefficients[k] as bigint) * value;
      }
      return sum;
    });
    const { numerators, denominator } = solved(this.#system.solve(right, this.#stop));
    const columnValues: bigint[] = Array.from({ length: n }, (_, j) => {
      const at = this.#columnAt[j] as number;
      return at === -1 ? (whole[j] as bigint) * denominator : (numerators[at] as bigint);
    });
    const activities = form.rows.map((row, i) =>
      (this.#rowAt[i] as number) === -1 ? product(row, columnValues) : (whole[n + i] as bigint) * denominator,
    );
    return { numerators: [...columnValues, ...activities], denominator: common * denominator };
  }

  /**
   * Row multipliers of the system for costs of the basic columns: one per row, of the activity as it is in the form.
   */
  multipliers(costs: readonly bigint[]): Fractions {
    const right = this.basicColumns.map((j) => costs[j] as bigint);
    const { numerators, denominator } = solved(this.#system.solveTransposed(right, this.#stop));
    const all: bigint[] = this.form.rows.map(() => 0n);
    this.tightRows.forEach((i, k) => {
      all[i] = numerators[k] as bigint;
    });
    return { numerators: all, denominator };
  }

  /** What each variable costs beyond the multipliers: those of columns c − yᵀA, those of rows y. */
  reducedCosts(costs: readonly bigint[], { numerators, denominator }: Fractions): bigint[] {
    const { form } = this;
    const reduced = costs.map((cost) => cost * denominator);
    for (const i of this.tightRows) subtractRow(reduced, form.rows[i] as IntegerRow, numerators[i] as bigint);
    for (const j of this.basicColumns) reduced[j] = 0n;
    return [...reduced, ...numerators];
  }

  /** By nonbasic variable: how much a basic one moves with it. */
  row(variable: number): Fractions {
    const { form } = this;
    const n = form.columnCount;
    const costs: bigint[] = new Array(n).fill(0n);
    if (variable < n) costs[variable] = 1n;
    else {
      const { columns, coefficients } = form.rows[variable - n] as IntegerRow;
      columns.forEach((j, k) => {
        costs[j] = coefficients[k] as bigint;
      });
    }
    const multipliers = this.multipliers(costs);
    return { numerators: this.reducedCosts(costs, multipliers), denominator: multipliers.denominator };
  }

  /** By variable: how much it moves with a nonbasic one, which moves by one itself. */
  column(variable: number): Fractions {
    const { form } = this;
    const n = form.columnCount;
    const right: bigint[] = this.tightRows.map(() => 0n);
    if (variable >= n) right[this.#rowAt[variable - n] as number] = 1n;
    else {
      const { columns, coefficients } = form.columns[variable] as IntegerRow;
      columns.forEach((i, k) => {
        const at = this.#rowAt[i] as number;
        if (at !== -1) right[at] = -(coefficients[k] as bigint);
      });
    }
    const { numerators, denominator } = solved(this.#system.solve(right, this.#stop));
    const moves: bigint[] = new Array(n).fill(0n);
    this.basicColumns.forEach((j, k) => {
      moves[j] = numerators[k] as bigint;
    });
    if (variable < n) moves[variable] = denominator;
    const activities = form.rows.map((row, i) => ((this.#rowAt[i] as number) === -1 ? product(row, moves) : 0n));
    if (variable >= n) activities[variable - n] = denominator;
    return { numerators: [...moves, ...activities], denominator };
  }

  #boundAt(variable: number, place: Place): Rational | null {
    if (place === "basic") return null;
    if (place === "zero") return Rational.zero;
    return (place === "lower" ? this.form.lower : this.form.upper)[variable] as Rational;
  }
}

function solved(solution: Fractions | null): Fractions {
  if (solution === null) throw new Stopped();
  return solution;
}

/** The place of a nonbasic variable: the bound named, the other where it has not that one, zero where it has none. */
function atBound({ lower, upper }: StandardForm, variable: number, named: Place): Place {
  const [low, high] = [lower[variable] ?? null, upper[variable] ?? null];
  if (low === null && high === null) return "zero";
  if (low === null || (named === "upper" && high !== null)) return "upper";
  return "lower";
}

function indicesOf(count: number, qualifies: (index: number) => boolean): number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index++) if (qualifies(index)) found.push(index);
  return found;
}

function positions(indices: readonly number[], count: number): Int32Array {
  const at = new Int32Array(count).fill(-1);
  indices.forEach((index, k) => {
    at[index] = k;
  });
  return at;
}

/** The entries of a row in some columns, which get new numbers. */
function restrict({ columns, coefficients }: IntegerRow, at: Int32Array): IntegerRow {
  const kept: number[] = [];
  const values: bigint[] = [];
  columns.forEach((j, k) => {
    if ((at[j] as number) === -1) return;
    kept.push(at[j] as number);
    values.push(coefficients[k] as bigint);
  });
  return { columns: kept, coefficients: values };
}

function product({ columns, coefficients }: IntegerRow, values: readonly bigint[]): bigint {
  let sum = 0n;
  for (let k = 0; k < columns.length; k++) {
    const value = values[columns[k] as number] as bigint;
    if (value !== 0n) sum += (coefficients[k] as bigint) * value;
  }
  return sum;
}

function subtractRow(target: bigint[], { columns, coefficients }: IntegerRow, factor: bigint): void {
  if (factor === 0n) return;
  for (let k = 0; k < columns.length; k++) {
    const j = columns[k] as number;
    target[j] = (target[j] as bigint) - factor * (coefficients[k] as bigint);
  }
}
