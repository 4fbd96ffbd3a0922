import { leastCommonMultiple, Rational } from "../../../src/exact/rational.js";

/** A linear program to be minimised, dense; `null` is no bound. */
export interface Linear {
  readonly costs: readonly Rational[];
  readonly lower: readonly (Rational | null)[];
  readonly upper: readonly (Rational | null)[];
  readonly rows: readonly {
    readonly coefficients: readonly Rational[];
    readonly lower: Rational | null;
    readonly upper: Rational | null;
  }[];
}

export type LinearAnswer =
  | { readonly status: "optimal"; readonly value: Rational; readonly point: readonly Rational[] }
  | { readonly status: "infeasible" }
  | { readonly status: "unbounded" };

/**
 * The textbook simplex in two phases (Chvátal 1983, chapters 2 and 3; Bland's rule) on a condensed tableau of integers
 * with one common denominator (Edmonds' pivoting). It is a witness: it shares no code with the simplex in src/optimize,
 * brings every program to max c·x, Ax ≤ b, x ≥ 0, and treats bounds as rows.
 */
export function solveLinear(linear: Linear): LinearAnswer {
  const n = linear.costs.length;
  // x_j = offset_j + Σ sign · y: one y from a bound inwards, or two for a free column.
  const parts: { column: number; sign: 1n | -1n }[] = [];
  const offsets = linear.costs.map((_, j) => linear.lower[j] ?? linear.upper[j] ?? Rational.zero);
  for (let j = 0; j < n; j++) {
    if (linear.lower[j] !== null) parts.push({ column: j, sign: 1n });
    else if (linear.upper[j] !== null) parts.push({ column: j, sign: -1n });
    else parts.push({ column: j, sign: 1n }, { column: j, sign: -1n });
  }
  const table: bigint[][] = [];
  const addRow = (coefficients: readonly Rational[], side: Rational, sign: Rational) => {
    let room = side;
    coefficients.forEach((value, j) => {
      room = room.subtract(value.multiply(offsets[j] as Rational));
    });
    const entries = parts.map((part) =>
      (coefficients[part.column] as Rational).multiply(sign).multiply(Rational.of(part.sign)),
    );
    table.push(toIntegers([...entries, room.multiply(sign)]));
  };
  const minusOne = Rational.one.negate();
  for (const { coefficients, lower, upper } of linear.rows) {
    if (upper !== null) addRow(coefficients, upper, Rational.one);
    if (lower !== null) addRow(coefficients, lower, minusOne);
  }
  for (let j = 0; j < n; j++) {
    const upper = linear.upper[j] ?? null;
    if (linear.lower[j] === null || upper === null) continue;
    const unit = linear.costs.map((_, k) => (k === j ? Rational.one : Rational.zero));
    addRow(unit, upper, Rational.one);
  }
  // The objective row holds −c of a maximisation, here the costs of the minimisation, and its right side is −value.
  const objective = toIntegers([
    ...parts.map(({ column, sign }) => (linear.costs[column] as Rational).multiply(Rational.of(sign))),
    Rational.zero,
  ]);
  const tableau = new Condensed(table, objective, parts.length);
  if (!tableau.makeFeasible()) return { status: "infeasible" };
  if (!tableau.improve()) return { status: "unbounded" };
  const point = offsets.slice();
  tableau.values().forEach((value, k) => {
    const part = parts[k];
    if (part === undefined) return;
    point[part.column] = (point[part.column] as Rational).add(value.multiply(Rational.of(part.sign)));
  });
  let value = Rational.zero;
  linear.costs.forEach((cost, j) => {
    value = value.add(cost.multiply(point[j] as Rational));
  });
  return { status: "optimal", value, point };
}

/** A row times the common denominator of its entries: the same row, in integers. */
function toIntegers(values: readonly Rational[]): bigint[] {
  const scale = values.reduce((all, { denominator }) => leastCommonMultiple(all, denominator), 1n);
  return values.map(({ numerator, denominator }) => numerator * (scale / denominator));
}

/** Rows y_basic = side − Σ entry · y_nonbasic, each over the common `denominator`; the objective row is the last. */
class Condensed {
  #rows: bigint[][];
  #denominator = 1n;
  readonly #basic: number[];
  readonly #nonbasic: number[];
  readonly #count: number;

  constructor(rows: bigint[][], objective: bigint[], count: number) {
    this.#rows = [...rows, objective];
    this.#count = count;
    this.#nonbasic = Array.from({ length: count }, (_, k) => k);
    this.#basic = rows.map((_, i) => count + i);
  }

  /** Phase one; `false` when there is no feasible point. */
  makeFeasible(): boolean {
    const least = this.#sides().reduce((low, side, i, all) => (side < (all[low] as bigint) ? i : low), 0);
    if (this.#basic.length === 0 || (this.#sides()[least] as bigint) >= 0n) return true;
    // An artificial variable that loosens every row; its column stands before the right sides.
    const artificial = this.#count + this.#basic.length;
    const objective = this.#rows.pop() as bigint[];
    const width = this.#nonbasic.length;
    this.#rows = this.#rows.map((row) => [...row.slice(0, width), -1n, row[width] as bigint]);
    this.#rows.push([...objective.slice(0, width), 0n, objective[width] as bigint]);
    this.#rows.push([...new Array<bigint>(width).fill(0n), 1n, 0n]);
    this.#nonbasic.push(artificial);
    this.#pivot(least, width);
    this.#climb(this.#rows.length - 1);
    const at = this.#basic.indexOf(artificial);
    if (at !== -1) {
      if (((this.#rows[at] as bigint[]).at(-1) as bigint) !== 0n) return false;
      const k = (this.#rows[at] as bigint[]).findIndex((entry, l) => l < width + 1 && entry !== 0n);
      this.#pivot(at, k);
    }
    const gone = this.#nonbasic.indexOf(artificial);
    this.#nonbasic.splice(gone, 1);
    this.#rows.pop();
    for (const row of this.#rows) row.splice(gone, 1);
    return true;
  }

  /** Phase two; `false` when the objective falls for ever. */
  improve(): boolean {
    return this.#climb(this.#rows.length - 1);
  }

  values(): Rational[] {
    const values = new Array<Rational>(this.#count).fill(Rational.zero);
    this.#basic.forEach((variable, i) => {
      const side = (this.#rows[i] as bigint[]).at(-1) as bigint;
      if (variable < this.#count) values[variable] = Rational.of(side, this.#denominator);
    });
    return values;
  }

  #sides(): bigint[] {
    return this.#basic.map((_, i) => (this.#rows[i] as bigint[]).at(-1) as bigint);
  }

  /** Minimises the objective held in a row, by Bland's rule. */
  #climb(objective: number): boolean {
    for (;;) {
      const costs = this.#rows[objective] as bigint[];
      let k = -1;
      this.#nonbasic.forEach((variable, l) => {
        if ((costs[l] as bigint) < 0n && (k === -1 || variable < (this.#nonbasic[k] as number))) k = l;
      });
      if (k === -1) return true;
      let leaving = -1;
      this.#basic.forEach((variable, i) => {
        const row = this.#rows[i] as bigint[];
        const entry = row[k] as bigint;
        if (entry <= 0n) return;
        if (leaving === -1) leaving = i;
        else {
          const other = this.#rows[leaving] as bigint[];
          const order = (row.at(-1) as bigint) * (other[k] as bigint) - (other.at(-1) as bigint) * entry;
          if (order < 0n || (order === 0n && variable < (this.#basic[leaving] as number))) leaving = i;
        }
      });
      if (leaving === -1) return false;
      this.#pivot(leaving, k);
    }
  }

  #pivot(i: number, k: number): void {
    const row = this.#rows[i] as bigint[];
    // The common denominator stays positive: a negative pivot turns the sign of the whole table.
    const sign = (row[k] as bigint) < 0n ? -1n : 1n;
    const pivot = (row[k] as bigint) * sign;
    this.#rows.forEach((target, other) => {
      if (other === i) return;
      const factor = target[k] as bigint;
      for (let l = 0; l < target.length; l++) {
        if (l === k) continue;
        target[l] = ((target[l] as bigint) * pivot - factor * (row[l] as bigint) * sign) / this.#denominator;
      }
      target[k] = -factor * sign;
    });
    for (let l = 0; l < row.length; l++) if (l !== k) row[l] = (row[l] as bigint) * sign;
    row[k] = this.#denominator * sign;
    this.#denominator = pivot;
    const leaving = this.#basic[i] as number;
    this.#basic[i] = this.#nonbasic[k] as number;
    this.#nonbasic[k] = leaving;
  }
}
