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

/** A sum of rows over distances from bounds, all at least zero: Σ g·t = β. */
export interface Aggregate {
  readonly terms: readonly Term[];
  readonly rhs: number;
}

interface Term {
  /** The column, or −1. */
  readonly column: number;
  /** The row whose slack it is, or −1. */
  readonly row: number;
  /** 1: counted from the lower bound or side, −1: from the upper one. */
  readonly sign: 1 | -1;
  readonly isInteger: boolean;
  /** The slack of an equation: zero. */
  readonly isZero: boolean;
  readonly coefficient: number;
  /** At the point. */
  readonly value: number;
  readonly bound: number;
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
  const terms: Term[] = [];
  let rhs = 0;
  for (const [r, weight] of weights) {
    const row = program.rows.get(r);
    if (row === undefined || Math.abs(weight) * Math.max(row.size, 1) < NOTHING) continue;
    for (let k = 0; k < row.columns.length; k++) {
      const j = row.columns[k] as number;
      const term = weight * (row.values[k] as number);
      if (sizes[j] === 0) touched.push(j);
      sums[j] = (sums[j] as number) + term;
      sizes[j] = Math.max(sizes[j] as number, Math.abs(term));
    }
    const sign = row.activity - row.lower <= row.upper - row.activity ? 1 : -1;
    const side = sign === 1 ? row.lower : row.upper;
    rhs += weight * side;
    terms.push({
      column: -1,
      row: r,
      sign,
      isInteger: row.isInteger,
      isZero: row.lower === row.upper,
      coefficient: -sign * weight,
      value: Math.max(0, sign * (row.activity - side)),
      bound: side,
    });
  }
  let isBounded = true;
  for (const j of touched) {
    const [sum, size] = [sums[j] as number, sizes[j] as number];
    [sums[j], sizes[j]] = [0, 0];
    if (Math.abs(sum) <= NOTHING * Math.max(1, size)) continue;
    const [low, high, at] = [lower[j] as number, upper[j] as number, point[j] as number];
    const sign = at - low <= high - at ? 1 : -1;
    const bound = sign === 1 ? low : high;
    if (!Number.isFinite(bound)) isBounded = false;
    rhs -= sum * bound;
    terms.push({
      column: j,
      row: -1,
      sign,
      isInteger: integer[j] === true,
      isZero: false,
      coefficient: sign * sum,
      value: Math.max(0, sign * (at - bound)),
      bound,
    });
  }
  return isBounded ? { terms, rhs } : null;
}

/** How deep {@link roundAggregate} would cut, in the space of the distances; 0 where the point keeps the cut. */
export function depthOf({ terms, rhs }: Aggregate, divisor: number): number {
  const beta = rhs / divisor;
  const f0 = beta - Math.floor(beta);
  if (f0 < MIN_FRACTION || f0 > 1 - MIN_FRACTION) return 0;
  let reached = 0;
  let norm = 0;
  for (const { isZero, isInteger, coefficient, value } of terms) {
    if (isZero) continue;
    const { c } = rounded(coefficient / divisor, isInteger, f0);
    reached += c * value;
    norm += c * c;
  }
  return reached < 1 ? (1 - reached) / Math.sqrt(norm) : 0;
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
  { terms, rhs }: Aggregate,
  divisor: number,
  minEfficacy: number,
): Proposal | null {
  const beta = rhs / divisor;
  const whole = Math.floor(beta);
  const f0 = beta - whole;
  if (f0 < MIN_FRACTION || f0 > 1 - MIN_FRACTION || Math.abs(whole) > MAX_SPLIT) return null;
  const split = new Map<number, number>();
  const add = (j: number, amount: number) => split.set(j, (split.get(j) ?? 0) + amount);
  const cut = new Map<number, number>();
  const cutAdd = (j: number, amount: number) => cut.set(j, (cut.get(j) ?? 0) + amount);
  const below = new Map<number, number>();
  const above = new Map<number, number>();
  const atUpper = new Set<number>();
  let at = whole;
  let reached = 0;
  for (const { column, row, sign, isInteger, isZero, coefficient, value, bound } of terms) {
    const g = coefficient / divisor;
    const { pi, c } = isZero ? { pi: 0, c: 0 } : rounded(g, isInteger, f0);
    if (Math.abs(pi) > MAX_SPLIT) return null;
    reached += c * value;
    if (column !== -1) {
      if (sign === -1) atUpper.add(column);
      if (c !== 0) cutAdd(column, sign * c);
      if (pi !== 0) {
        add(column, sign * pi);
        at += sign * pi * bound;
      }
      continue;
    }
    const { columns, values } = program.rows.get(row) as DoubleRow;
    columns.forEach((j, k) => {
      if (c !== 0) cutAdd(j, sign * c * (values[k] as number));
      if (pi !== 0) add(j, sign * pi * (values[k] as number));
    });
    at += pi === 0 ? 0 : sign * pi * bound;
    const lower = c - (g - pi) / f0;
    const upper = c + (g - pi) / (1 - f0);
    if (isZero || lower > NOTHING) below.set(row, sign * lower);
    if (isZero || upper > NOTHING) above.set(row, sign * upper);
  }
  let norm = 0;
  for (const value of cut.values()) norm += value * value;
  const length = Math.sqrt(norm);
  const efficacy = (1 - reached) / length;
  if (!(efficacy >= minEfficacy) || !Number.isSafeInteger(at)) return null;
  return {
    split: new Map([...split].filter(([, amount]) => amount !== 0)),
    at,
    below: { side: 1 / f0, rows: below },
    above: { side: 1 / (1 - f0), rows: above },
    atUpper,
    efficacy,
    direction: new Map(
      [...cut].filter(([, value]) => Math.abs(value) > NOTHING * length).map(([j, value]) => [j, value / length]),
    ),
  };
}

function rounded(g: number, isInteger: boolean, f0: number): { readonly pi: number; readonly c: number } {
  if (!isInteger) return { pi: 0, c: g > 0 ? g / f0 : -g / (1 - f0) };
  const nearest = Math.round(g);
  if (Math.abs(g - nearest) <= 1e-7) return { pi: nearest, c: 0 };
  const down = Math.floor(g);
  const f = g - down;
  return f <= f0 ? { pi: down, c: f / f0 } : { pi: down + 1, c: (1 - f) / (1 - f0) };
}
