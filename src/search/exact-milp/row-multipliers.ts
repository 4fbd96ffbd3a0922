import { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { ViewRow } from "../../proof/kernel/view.js";
import type { SearchSpace } from "../branch-and-bound/space.js";

/** Binary digits of the dual that moves reduced costs the most; the others have no finer units beside it. */
const DIGITS = 22;

/** What rounding one dual may take from a bound, as a share of it. */
const LOSS = 2 ** -24;

/** A row's largest coefficient, and by how much its sum can change within the columns' bounds, those aside that have none. */
export interface RowSize {
  readonly largest: number;
  readonly range: number;
}

/**
 * Duals as rationals of few digits: exact arithmetic with them takes a fraction of the time, and so does their text. Each is
 * rounded to a power of two that moves no reduced cost by more than 2⁻²² of what the greatest moves one, and `bound`, which they
 * prove, by no more than 2⁻²⁴ of it; 0: they prove none.
 */
function shortMultipliers(
  duals: ReadonlyMap<number, number>,
  sizeOf: (row: number) => RowSize,
  bound: number,
): Multipliers {
  let most = 0;
  for (const [r, dual] of duals) most = Math.max(most, Math.abs(dual) * sizeOf(r).largest);
  const multipliers = new Map<number, Rational>();
  for (const [r, dual] of duals) {
    const { largest, range } = sizeOf(r);
    const coarse = Math.ceil(Math.log2(most / largest)) - DIGITS;
    const loss = Math.abs(bound) * LOSS;
    const unit = 2 ** (loss > 0 && range > 0 ? Math.min(coarse, Math.floor(Math.log2(loss / range))) : coarse);
    const value = Math.round(dual / unit) * unit;
    if (value !== 0 && Number.isFinite(value)) multipliers.set(r, Rational.fromNumber(value));
  }
  return multipliers;
}

/** The duals of a session as multipliers of the view's rows, in few digits and in all; `bound` is what they prove. */
export function multipliersOf(
  space: SearchSpace,
  duals: Float64Array,
  sign: 1 | -1,
  keyOf: (row: number) => number,
  sizeOf: (row: number) => RowSize,
  bound: number,
) {
  const named = dualsFrom(space, duals, sign, keyOf);
  return {
    multipliers: shortMultipliers(named, sizeOf, bound),
    fine: () => new Map([...named].map(([row, value]) => [row, Rational.fromNumber(value)] as const)),
  };
}

/** The sizes of a space's rows and cuts; one that the view has left out has a largest coefficient of 1. */
export function rowSizes({ view, box }: SearchSpace): (row: number) => RowSize {
  const widths = view.columns.map((_, j) => {
    const [lower, upper] = [box.lower[j] ?? null, box.upper[j] ?? null];
    return lower === null || upper === null ? 0 : upper.toNumber() - lower.toNumber();
  });
  const known = new Map<ViewRow | undefined, RowSize>();
  const measure = (row: ViewRow | undefined): RowSize => {
    let [largest, range] = [0, 0];
    row?.form.coefficients.forEach((coefficient, k) => {
      const size = Math.abs(Number(coefficient));
      largest = Math.max(largest, size);
      range += size * (widths[row.form.columns[k] as number] as number);
    });
    if (row === undefined || largest === 0) return { largest: 1, range: 0 };
    const denominator = Number(row.form.denominator);
    return { largest: largest / denominator, range: range / denominator };
  };
  return (index) => {
    const row = view.rows.get(index) ?? view.cuts.get(index);
    let size = known.get(row);
    if (size === undefined) {
      size = measure(row);
      known.set(row, size);
    }
    return size;
  };
}

/** Row duals by the view's index, without those that price a side the row does not have. */
function dualsFrom(
  { program, view }: SearchSpace,
  duals: Float64Array,
  sign: 1 | -1,
  keyOf: (row: number) => number,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  duals.forEach((dual, r) => {
    if (dual === 0 || !Number.isFinite(dual)) return;
    const key = keyOf(r);
    const row = program.rows[r] ?? view.cuts.get(key);
    const value = sign * dual;
    if (row === undefined || (value > 0 ? row.lower : row.upper) === null) return;
    found.set(key, value);
  });
  return found;
}
