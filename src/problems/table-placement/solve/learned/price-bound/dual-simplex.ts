import { doubleNear } from "../../../../../exact/rational.js";
import type { Program } from "../../../../../program/program.js";

const TOLERANCE = 1e-9;
const PIVOT_TOLERANCE = 1e-7;

/** Pivots after which a solve gives up. */
const MAX_PIVOTS = 2000;

/** What a solve came to. */
export type DualOutcome =
  | "optimal"
  /** The bound has reached the cutoff. */
  | "cutoff"
  /** Nothing is within the bounds; {@link DualSimplex.ray} shows it. */
  | "infeasible"
  | "failed";

/**
 * A dual simplex for small linear relaxations min c·x, lower ≤ A·x ≤ upper, x in bounds, with a dense tableau in doubles. Every
 * basis gives a bound, so that a solve may end as soon as that reaches a cutoff; copies begin where the original stands. All
 * columns have bounds. Nothing that it says is trusted: multipliers are checked exactly.
 *
 * Variables are the program's columns and then its rows' activities. A basic variable i is Σ_j tableau[i, j] · nonbasic j, the
 * objective Σ_j reduced[j] · nonbasic j; columns are scaled to a width of about 1 and rows to a largest coefficient of 1.
 */
export class DualSimplex {
  readonly #scale: Scale;
  readonly #rows: number;
  readonly #columns: number;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #basic: Int32Array;
  readonly #nonbasic: Int32Array;
  /** By place among the nonbasic: 1 where it is at its upper bound. */
  readonly #isUpper: Uint8Array;
  readonly #tableau: Float64Array;
  readonly #reduced: Float64Array;
  readonly #values: Float64Array;
  #ray: { readonly row: number; readonly sign: 1 | -1 } | null = null;
  #pivots = 0;

  private constructor(parts: {
    readonly scale: Scale;
    readonly lower: Float64Array;
    readonly upper: Float64Array;
    readonly basic: Int32Array;
    readonly nonbasic: Int32Array;
    readonly isUpper: Uint8Array;
    readonly tableau: Float64Array;
    readonly reduced: Float64Array;
    readonly values: Float64Array;
  }) {
    this.#scale = parts.scale;
    this.#rows = parts.basic.length;
    this.#columns = parts.nonbasic.length;
    this.#lower = parts.lower;
    this.#upper = parts.upper;
    this.#basic = parts.basic;
    this.#nonbasic = parts.nonbasic;
    this.#isUpper = parts.isUpper;
    this.#tableau = parts.tableau;
    this.#reduced = parts.reduced;
    this.#values = parts.values;
  }

  /**
   * The rows and bounds of a program at no costs, each row with so much slack (of its largest coefficient): then what is found
   * infeasible is so by more than rounding. Throws `RangeError` where a column has no bounds.
   */
  static of(program: Program, slack = 0): DualSimplex {
    const scale = scaleOf(program);
    const [n, m] = [program.columns.length, program.rows.length];
    const lower = new Float64Array(n + m);
    const upper = new Float64Array(n + m);
    const tableau = new Float64Array(n * m);
    program.columns.forEach((column, j) => {
      if (column.lower === null || column.upper === null) throw new RangeError("a column has no bounds");
      lower[j] = column.lower.toNumber() / (scale.columns[j] as number);
      upper[j] = column.upper.toNumber() / (scale.columns[j] as number);
    });
    program.rows.forEach((row, r) => {
      const factor = scale.rows[r] as number;
      lower[n + r] = row.lower === null ? Number.NEGATIVE_INFINITY : row.lower.toNumber() * factor - slack;
      upper[n + r] = row.upper === null ? Number.POSITIVE_INFINITY : row.upper.toNumber() * factor + slack;
      const { columns, coefficients, denominator } = row.form;
      columns.forEach((j, k) => {
        const value = doubleNear(coefficients[k] as bigint, denominator);
        tableau[r * n + j] = value * factor * (scale.columns[j] as number);
      });
    });
    const simplex = new DualSimplex({
      ...{ scale, lower, upper, tableau },
      reduced: new Float64Array(n),
      basic: Int32Array.from({ length: m }, (_, r) => n + r),
      nonbasic: Int32Array.from({ length: n }, (_, j) => j),
      isUpper: new Uint8Array(n),
      values: new Float64Array(m),
    });
    simplex.#refresh();
    return simplex;
  }

  /** The same rows and bounds with costs. Throws `RangeError` once pivots have been made. */
  withCosts(costs: Float64Array): DualSimplex {
    if (this.#pivots > 0) throw new RangeError("costs are set before the first pivot");
    const copied = this.copy();
    for (let j = 0; j < costs.length; j++) {
      const cost = (costs[j] as number) * (this.#scale.columns[j] as number);
      copied.#reduced[j] = cost;
      copied.#isUpper[j] = cost < 0 ? 1 : 0;
    }
    copied.#refresh();
    return copied;
  }

  copy(): DualSimplex {
    return new DualSimplex({
      scale: this.#scale,
      lower: this.#lower.slice(),
      upper: this.#upper.slice(),
      basic: this.#basic.slice(),
      nonbasic: this.#nonbasic.slice(),
      isUpper: this.#isUpper.slice(),
      tableau: this.#tableau.slice(),
      reduced: this.#reduced.slice(),
      values: this.#values.slice(),
    });
  }

  /** Sets the bounds of a column, in the program's units. */
  setBounds(column: number, lower: number, upper: number): void {
    const scale = this.#scale.columns[column] as number;
    this.#lower[column] = lower / scale;
    this.#upper[column] = upper / scale;
    this.#refresh();
  }

  /** Entries of the tableau that its copying and its pivots have gone through. */
  get work(): number {
    return (1 + this.#pivots) * this.#tableau.length;
  }

  isFixed(column: number): boolean {
    return this.#lower[column] === this.#upper[column];
  }

  /** Nothing within the bounds costs less. */
  get bound(): number {
    let bound = 0;
    for (let j = 0; j < this.#columns; j++) {
      const cost = this.#reduced[j] as number;
      if (cost !== 0) bound += cost * this.#valueOfNonbasic(j);
    }
    return bound;
  }

  /** The value of every column, in the program's units. */
  point(): Float64Array {
    const point = new Float64Array(this.#scale.columns.length);
    this.#nonbasic.forEach((v, j) => {
      if (v < point.length) point[v] = this.#valueOfNonbasic(j) * (this.#scale.columns[v] as number);
    });
    this.#basic.forEach((v, i) => {
      if (v < point.length) point[v] = (this.#values[i] as number) * (this.#scale.columns[v] as number);
    });
    return point;
  }

  /** One multiplier for each row: they give the bound. */
  multipliers(): Float64Array {
    const multipliers = new Float64Array(this.#rows);
    for (const [j, v] of this.#nonbasic.entries()) this.#setMultiplier(multipliers, v, this.#reduced[j] as number);
    return multipliers;
  }

  /** Once found infeasible: multipliers with which the rows ask for more than there is. */
  ray(): Float64Array {
    if (this.#ray === null) throw new RangeError("nothing was found infeasible");
    const { row, sign } = this.#ray;
    const multipliers = new Float64Array(this.#rows);
    this.#nonbasic.forEach((v, j) => {
      this.#setMultiplier(multipliers, v, -sign * (this.#tableau[row * this.#columns + j] as number));
    });
    this.#setMultiplier(multipliers, this.#basic[row] as number, sign);
    return multipliers;
  }

  /** Pivots until nothing is out of its bounds. */
  solve(cutoff: number): DualOutcome {
    this.#ray = null;
    for (let pivots = 0; pivots < MAX_PIVOTS; pivots++) {
      if (this.bound >= cutoff) return "cutoff";
      const row = this.#leaving();
      if (row === -1) return "optimal";
      const sign = (this.#values[row] as number) < (this.#lower[this.#basic[row] as number] as number) ? 1 : -1;
      const entering = this.#entering(row, sign);
      if (entering === "infeasible") {
        this.#ray = { row, sign };
        return "infeasible";
      }
      if (entering === -1) return "failed";
      this.#pivot(row, entering, sign);
      this.#pivots++;
    }
    return "failed";
  }

  #setMultiplier(multipliers: Float64Array, v: number, value: number): void {
    const row = v - this.#scale.columns.length;
    if (row >= 0) multipliers[row] = value * (this.#scale.rows[row] as number);
  }

  #valueOfNonbasic(j: number): number {
    const v = this.#nonbasic[j] as number;
    return (this.#isUpper[j] === 1 ? this.#upper[v] : this.#lower[v]) as number;
  }

  /** The basic variable that is furthest out of its bounds. */
  #leaving(): number {
    let row = -1;
    let most = TOLERANCE;
    for (let i = 0; i < this.#rows; i++) {
      const v = this.#basic[i] as number;
      const value = this.#values[i] as number;
      const out = Math.max((this.#lower[v] as number) - value, value - (this.#upper[v] as number));
      if (out <= most) continue;
      most = out;
      row = i;
    }
    return row;
  }

  /** The place that the leaving variable takes, after those that only change to their other bound have done so. */
  #entering(row: number, sign: 1 | -1): number | "infeasible" {
    const at = row * this.#columns;
    const v = this.#basic[row] as number;
    const value = this.#values[row] as number;
    let slope = sign > 0 ? (this.#lower[v] as number) - value : value - (this.#upper[v] as number);
    const steps: { readonly j: number; readonly ratio: number; readonly size: number }[] = [];
    for (let j = 0; j < this.#columns; j++) {
      const entry = sign * (this.#tableau[at + j] as number);
      const w = this.#nonbasic[j] as number;
      if (Math.abs(entry) < PIVOT_TOLERANCE || this.#lower[w] === this.#upper[w]) continue;
      if (this.#isUpper[j] === 1 ? entry > 0 : entry < 0) continue;
      const size = Math.abs(entry);
      steps.push({ j, ratio: Math.abs(this.#reduced[j] as number) / size, size });
    }
    steps.sort((a, b) => a.ratio - b.ratio || b.size - a.size);
    let flipped = 0;
    for (const { j, size } of steps) {
      const w = this.#nonbasic[j] as number;
      slope -= size * ((this.#upper[w] as number) - (this.#lower[w] as number));
      if (slope < 0) break;
      flipped++;
    }
    if (flipped === steps.length) return "infeasible";
    for (let s = 0; s < flipped; s++) {
      const { j } = steps[s] as { readonly j: number };
      this.#isUpper[j] = 1 - (this.#isUpper[j] as number);
    }
    if (flipped > 0) this.#refresh();
    return steps[flipped]?.j ?? -1;
  }

  #pivot(row: number, column: number, sign: 1 | -1): void {
    const n = this.#columns;
    const tableau = this.#tableau;
    const at = row * n;
    const scale = 1 / (tableau[at + column] as number);
    for (let j = 0; j < n; j++) tableau[at + j] = -(tableau[at + j] as number) * scale;
    tableau[at + column] = scale;
    for (let i = 0; i < this.#rows; i++) {
      if (i === row) continue;
      const start = i * n;
      const factor = tableau[start + column] as number;
      if (factor === 0) continue;
      tableau[start + column] = 0;
      for (let j = 0; j < n; j++) {
        tableau[start + j] = (tableau[start + j] as number) + factor * (tableau[at + j] as number);
      }
    }
    const cost = this.#reduced[column] as number;
    this.#reduced[column] = 0;
    for (let j = 0; j < n; j++) {
      this.#reduced[j] = (this.#reduced[j] as number) + cost * (tableau[at + j] as number);
    }
    const leaving = this.#basic[row] as number;
    this.#basic[row] = this.#nonbasic[column] as number;
    this.#nonbasic[column] = leaving;
    this.#isUpper[column] = sign > 0 ? 0 : 1;
    this.#refresh();
  }

  /** The values of the basic variables; those that are not go to the bound that their reduced costs prefer. */
  #refresh(): void {
    const n = this.#columns;
    const at = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      const v = this.#nonbasic[j] as number;
      if (!Number.isFinite(this.#lower[v] as number)) this.#isUpper[j] = 1;
      if (!Number.isFinite(this.#upper[v] as number)) this.#isUpper[j] = 0;
      at[j] = this.#valueOfNonbasic(j);
    }
    for (let i = 0; i < this.#rows; i++) {
      let value = 0;
      for (let j = 0; j < n; j++) value += (this.#tableau[i * n + j] as number) * (at[j] as number);
      this.#values[i] = value;
    }
  }
}

interface Scale {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

function scaleOf({ columns, rows }: Program): Scale {
  const byColumn = Float64Array.from(columns, ({ lower, upper, integer }) => {
    const size = Math.max(Math.abs(lower?.toNumber() ?? 0), Math.abs(upper?.toNumber() ?? 0));
    return integer || size === 0 ? 1 : size;
  });
  const byRow = Float64Array.from(rows, ({ form }) => {
    let most = 0;
    form.columns.forEach((j, k) => {
      const value = doubleNear(form.coefficients[k] as bigint, form.denominator);
      most = Math.max(most, Math.abs(value) * (byColumn[j] as number));
    });
    // A row of next to nothing is left as it is: what it says is beyond doubles.
    return Number.isFinite(1 / most) ? 1 / most : 1;
  });
  return { columns: byColumn, rows: byRow };
}
