import type { DoubleProgram, DoubleRow } from "./linear-program.js";

/** A split cut in doubles, to be derived exactly: the split, and what proves the cut in its halves. */
export interface Proposal {
  /** Integers by column. */
  readonly split: ReadonlyMap<number, number>;
  readonly at: number;
  readonly below: ProposedHalf;
  readonly above: ProposedHalf;
  /** Columns that the cut counts from their upper bound. */
  readonly atUpper: ReadonlySet<number>;
  /** By how much the point breaks the cut, in its distance from the cut. */
  readonly efficacy: number;
  /** Its coefficients by column, as a vector of length one. */
  readonly direction: ReadonlyMap<number, number>;
}

export interface ProposedHalf {
  readonly side: number;
  readonly rows: ReadonlyMap<number, number>;
}

/** Multipliers of rows and cuts, by the view's index. */
export type RowWeights = ReadonlyMap<number, number>;

/**
 * A sum of rows over distances from bounds, all at least zero: Σ g·t = β. In lists by term, as it is looked at for many
 * divisors; those whose distance is not zero at the point come first.
 */
export interface Aggregate {
  /** The column that each term counts, or −1 − the row whose slack it is. */
  readonly members: readonly number[];
  /** 1: counted from the lower bound or side, −1: from the upper one. */
  readonly signs: readonly (1 | -1)[];
  readonly integers: readonly boolean[];
  readonly coefficients: readonly number[];
  /** Distances at the point. */
  readonly values: readonly number[];
  readonly bounds: readonly number[];
  /** How many distances are not zero. */
  readonly open: number;
  /** Rows that are equations, whose slack is zero, and the coefficients of these. */
  readonly equations: ReadonlyMap<number, number>;
  readonly rhs: number;
}

/** What rounding leaves of a coefficient that cancels. */
const NOTHING = 1e-9;
const MIN_FRACTION = 0.0002;
const MAX_SPLIT = 1e9;

/** Σ weight·row over distances from the nearer bounds; `null` where a column has no bound. */
export function aggregate(program: DoubleProgram, weights: RowWeights): Aggregate | null {
  const { lower, upper, point, integer } = program;
  const { sums, sizes } = program.scratch;
  const touched: number[] = [];
  const terms = new Terms();
  const equations = new Map<number, number>();
  /** Rows whose slack is zero at the point. */
  const tight: number[] = [];
  let rhs = 0;
  for (const [r, weight] of weights) {
    const row = program.rows.get(r);
    if (row === undefined || Math.abs(weight) * Math.max(row.size, 1) < NOTHING) continue;
    const { columns, values } = row;
    for (let k = 0; k < columns.length; k++) {
      const j = columns[k] as number;
      const term = weight * (values[k] as number);
      if (sizes[j] === 0) touched.push(j);
      sums[j] = (sums[j] as number) + term;
      sizes[j] = Math.max(sizes[j] as number, Math.abs(term));
    }
    const sign = row.activity - row.lower <= row.upper - row.activity ? 1 : -1;
    const side = sign === 1 ? row.lower : row.upper;
    rhs += weight * side;
    if (row.lower === row.upper) equations.set(r, -sign * weight);
    else if (sign * (row.activity - side) > 0) terms.addSlack(r, sign, row, -sign * weight);
    else tight.push(r);
  }
  let isBounded = true;
  const atBounds: number[] = [];
  for (const j of touched) {
    const sum = sums[j] as number;
    if (Math.abs(sum) <= NOTHING * Math.max(1, sizes[j] as number)) sums[j] = 0;
    sizes[j] = 0;
    if (sums[j] === 0) continue;
    const [low, high, at] = [lower[j] as number, upper[j] as number, point[j] as number];
    const sign = at - low <= high - at ? 1 : -1;
    const bound = sign === 1 ? low : high;
    if (!Number.isFinite(bound)) isBounded = false;
    rhs -= sum * bound;
    const value = sign * (at - bound);
    if (value > 0) terms.add(j, sign, integer[j] === true, sign * sum, value, bound);
    else atBounds.push(sign === 1 ? j : -1 - j);
  }
  const open = terms.members.length;
  for (const r of tight) {
    const row = program.rows.get(r) as DoubleRow;
    const sign = row.activity - row.lower <= row.upper - row.activity ? 1 : -1;
    terms.addSlack(r, sign, row, -sign * (weights.get(r) as number));
  }
  for (const code of atBounds) {
    const [j, sign] = code >= 0 ? ([code, 1] as const) : ([-1 - code, -1] as const);
    const bound = (sign === 1 ? lower[j] : upper[j]) as number;
    terms.add(j, sign, integer[j] === true, sign * (sums[j] as number), 0, bound);
  }
  for (const j of touched) sums[j] = 0;
  return isBounded ? { ...terms, open, equations, rhs } : null;
}

class Terms {
  readonly members: number[] = [];
  readonly signs: (1 | -1)[] = [];
  readonly integers: boolean[] = [];
  readonly coefficients: number[] = [];
  readonly values: number[] = [];
  readonly bounds: number[] = [];

  add(member: number, sign: 1 | -1, integer: boolean, coefficient: number, value: number, bound: number): void {
    this.members.push(member);
    this.signs.push(sign);
    this.integers.push(integer);
    this.coefficients.push(coefficient);
    this.values.push(value);
    this.bounds.push(bound);
  }

  addSlack(r: number, sign: 1 | -1, { isInteger, activity, lower, upper }: DoubleRow, coefficient: number): void {
    const side = sign === 1 ? lower : upper;
    this.add(-1 - r, sign, isInteger, coefficient, Math.max(0, sign * (activity - side)), side);
  }
}

/** How deep {@link roundAggregate} would cut, in the space of the distances; 0 where the point keeps the cut. */
export function depthOf({ integers, coefficients, values, open, rhs }: Aggregate, divisor: number): number {
  const beta = rhs / divisor;
  const f0 = beta - Math.floor(beta);
  if (f0 < MIN_FRACTION || f0 > 1 - MIN_FRACTION) return 0;
  let reached = 0;
  let norm = 0;
  for (let k = 0; k < coefficients.length; k++) {
    const g = (coefficients[k] as number) / divisor;
    const c = integers[k] === true ? roundedCoefficient(g, f0) : g > 0 ? g / f0 : -g / (1 - f0);
    norm += c * c;
    if (k >= open) continue;
    reached += c * (values[k] as number);
    if (reached >= 1) return 0;
  }
  return (1 - reached) / Math.sqrt(norm);
}

/**
 * Gomory's mixed-integer cut of Σ g·t = β divided by δ: with f₀ the fraction of β and f that of g,
 *
 *   Σ_integer (f ≤ f₀ ? f / f₀ : (1 − f) / (1 − f₀))·t + Σ_continuous (g > 0 ? g / f₀ : −g / (1 − f₀))·t ≥ 1,
 *
 * where the split is Σ π·t ≤ ⌊β⌋ or ≥ ⌈β⌉ with π = ⌊g⌋ for f ≤ f₀ and ⌈g⌉ else. `null` where the point keeps it.
 */
export function roundAggregate(
  program: DoubleProgram,
  sum: Aggregate,
  divisor: number,
  minEfficacy: number,
): Proposal | null {
  const { members, signs, integers, coefficients, bounds, equations, rhs } = sum;
  const beta = rhs / divisor;
  const whole = Math.floor(beta);
  const f0 = beta - whole;
  if (f0 < MIN_FRACTION || f0 > 1 - MIN_FRACTION || Math.abs(whole) > MAX_SPLIT) return null;
  const depth = depthOf(sum, divisor);
  if (depth === 0) return null;
  const cut = new SparseSum(program.scratch.sums);
  const split = new SparseSum(program.scratch.sizes);
  const below = new Map<number, number>();
  const above = new Map<number, number>();
  const atUpper = new Set<number>();
  let at = whole;
  let reached = 0;
  for (let k = 0; k < members.length; k++) {
    const [member, sign, bound] = [members[k] as number, signs[k] as number, bounds[k] as number];
    const g = (coefficients[k] as number) / divisor;
    const isInteger = integers[k] === true;
    const pi = isInteger ? roundedWhole(g, f0) : 0;
    const c = isInteger ? roundedCoefficient(g, f0) : g > 0 ? g / f0 : -g / (1 - f0);
    reached += c * (sum.values[k] as number);
    if (pi !== 0) at += sign * pi * bound;
    if (member >= 0) {
      if (sign === -1) atUpper.add(member);
      cut.add(member, sign * c);
      split.add(member, sign * pi);
      continue;
    }
    const row = -1 - member;
    const { columns, values } = program.rows.get(row) as DoubleRow;
    for (let i = 0; i < columns.length; i++) {
      const j = columns[i] as number;
      cut.add(j, sign * c * (values[i] as number));
      if (pi !== 0) split.add(j, sign * pi * (values[i] as number));
    }
    const lower = c - (g - pi) / f0;
    const upper = c + (g - pi) / (1 - f0);
    if (lower > NOTHING) below.set(row, sign * lower);
    if (upper > NOTHING) above.set(row, sign * upper);
  }
  for (const [row, coefficient] of equations) {
    const g = coefficient / divisor;
    const { activity, lower, upper } = program.rows.get(row) as DoubleRow;
    const sign = activity - lower <= upper - activity ? 1 : -1;
    below.set(row, (-sign * g) / f0);
    above.set(row, (sign * g) / (1 - f0));
  }
  const direction = cut.taken();
  const halves = split.taken();
  let norm = 0;
  for (const value of direction.values()) norm += value * value;
  const length = Math.sqrt(norm);
  const efficacy = (1 - reached) / length;
  if (!(efficacy >= minEfficacy) || !Number.isSafeInteger(at)) return null;
  for (const amount of halves.values()) if (Math.abs(amount) > MAX_SPLIT) return null;
  for (const [j, value] of direction) {
    if (Math.abs(value) > NOTHING * length) direction.set(j, value / length);
    else direction.delete(j);
  }
  return {
    split: halves,
    at,
    below: { side: 1 / f0, rows: below },
    above: { side: 1 / (1 - f0), rows: above },
    atUpper,
    efficacy,
    direction,
  };
}

/** A sum by column in a list of zeros, which it leaves behind as it was. */
class SparseSum {
  readonly #sums: Float64Array;
  readonly #columns: number[] = [];

  constructor(zeros: Float64Array) {
    this.#sums = zeros;
  }

  add(column: number, amount: number): void {
    if (amount === 0) return;
    // A column whose terms cancel is named twice, and has no sum left the second time.
    if (this.#sums[column] === 0) this.#columns.push(column);
    this.#sums[column] = (this.#sums[column] as number) + amount;
  }

  taken(): Map<number, number> {
    const sums = new Map<number, number>();
    for (const j of this.#columns) {
      if (this.#sums[j] !== 0) sums.set(j, this.#sums[j] as number);
      this.#sums[j] = 0;
    }
    return sums;
  }
}

/** How far a coefficient may be from an integer to be one. */
const NEARLY_WHOLE = 1e-7;

/** What an integer with coefficient g has in the cut. */
function roundedCoefficient(g: number, f0: number): number {
  const f = g - Math.floor(g);
  if (f <= NEARLY_WHOLE || f >= 1 - NEARLY_WHOLE) return 0;
  return f <= f0 ? f / f0 : (1 - f) / (1 - f0);
}

/** What it has in the split. */
function roundedWhole(g: number, f0: number): number {
  const down = Math.floor(g);
  const f = g - down;
  if (f <= NEARLY_WHOLE) return down;
  return f <= f0 && f < 1 - NEARLY_WHOLE ? down : down + 1;
}
