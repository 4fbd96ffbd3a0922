import { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { SearchSpace } from "./space.js";

/** What must be left at most of a continuous column's range for its new bounds to be worth a step and another relaxation. */
const NARROWER = 0.8;

/** Whether a continuous column's range has become much smaller. */
export function isMuchNarrower(before: Box, after: Box, j: number): boolean {
  const width = ({ lower, upper }: Box) => {
    const [low, high] = [lower[j] ?? null, upper[j] ?? null];
    return low === null || high === null ? Number.POSITIVE_INFINITY : high.subtract(low).toNumber();
  };
  return width(after) < NARROWER * width(before);
}

/** By how much a point may be outside of bounds that were tightened without having cut it off. */
const WITHIN = 1e-7;

/** The point of a relaxation for a space that it was narrowed to; `null` where it is not in there. */
export function pointWithin(point: Float64Array, from: SearchSpace, to: SearchSpace): Float64Array | null {
  const { lower, upper } = to.programBounds();
  const values = new Map<number, number>();
  for (let j = 0; j < point.length; j++) {
    const column = from.view.columns[j] as number;
    const value = point[j] as number;
    const [low, high] = [lower[column] ?? null, upper[column] ?? null];
    if (low !== null && low !== from.box.lower[j] && value < low.toNumber() - WITHIN) return null;
    if (high !== null && high !== from.box.upper[j] && value > high.toNumber() + WITHIN) return null;
    values.set(column, value);
  }
  return Float64Array.from(to.view.columns, (column) => values.get(column) as number);
}

/**
 * The box that cuts may rest on: continuous columns as they were before any column was fixed (`unfixed`, by the program's column).
 * A bound of an integer that holds only below the cutoff can be assumed and discharged, where a proof is written down; one of a
 * continuous column cannot.
 */
export function boxForCuts({ program, view, box }: SearchSpace, unfixed: Box | null): Box {
  if (unfixed === null) return box;
  const side = (here: Box["lower"], before: Box["lower"]) =>
    here.map((bound, j) => {
      const column = view.columns[j] as number;
      return program.columns[column]?.integer === true ? bound : (before[column] ?? null);
    });
  return { lower: side(box.lower, unfixed.lower), upper: side(box.upper, unfixed.upper) };
}

/**
 * Looks for one row that no point of a box can keep: the multiplier that shows it (`lagrangianBound` with purpose
 * "infeasibility"), or `null` when every row alone can be kept.
 */
export function contradiction(view: View, box: Box): Multipliers | null {
  for (const [r, { form, lower, upper }] of view.rows) {
    const { least, greatest } = activityRange(form.columns, form.coefficients, box);
    const scale = Rational.of(form.denominator);
    if (upper !== null && least !== null && least.compare(upper.multiply(scale)) > 0) {
      return new Map([[r, Rational.of(-1n)]]);
    }
    if (lower !== null && greatest !== null && greatest.compare(lower.multiply(scale)) < 0) {
      return new Map([[r, Rational.one]]);
    }
  }
  return null;
}

/** Least and greatest Σ coefficient·x over a box; `null` where there is none. */
function activityRange(columns: readonly number[], coefficients: readonly bigint[], box: Box) {
  let least: Rational | null = Rational.zero;
  let greatest: Rational | null = Rational.zero;
  for (let k = 0; k < columns.length; k++) {
    const coefficient = Rational.of(coefficients[k] as bigint);
    const lower = box.lower[columns[k] as number] as Rational | null;
    const upper = box.upper[columns[k] as number] as Rational | null;
    const [low, high] = coefficient.sign() > 0 ? [lower, upper] : [upper, lower];
    least = least === null || low === null ? null : least.add(coefficient.multiply(low));
    greatest = greatest === null || high === null ? null : greatest.add(coefficient.multiply(high));
  }
  return { least, greatest };
}

/** The open integer column whose value is farthest from any integer; −1 where all are integers. */
export function mostFractional(point: Float64Array, { view, box }: SearchSpace): number {
  let best = -1;
  let bestDistance = 1e-9;
  for (let j = 0; j < point.length; j++) {
    if (view.integer[j] !== true || isFixed(box, j)) continue;
    const value = point[j] as number;
    const distance = Math.abs(value - Math.round(value));
    if (distance > bestDistance) {
      best = j;
      bestDistance = distance;
    }
  }
  return best;
}

/** Whether a column's bounds meet. */
export function isFixed(box: SearchSpace["box"], j: number): boolean {
  const lower = box.lower[j] as Rational | null;
  const upper = box.upper[j] as Rational | null;
  return lower !== null && upper !== null && lower.compare(upper) >= 0;
}

/** Where the widest open integer column is split in the middle, which no double need reach, one without a bound beside the other; `null` where none is. */
export function widestSplit({ view, box }: SearchSpace): { readonly column: number; readonly at: bigint } | null {
  let widest = -1;
  let width: Rational | null = null;
  for (let j = 0; j < view.columns.length; j++) {
    if (view.integer[j] !== true || isFixed(box, j)) continue;
    const lower = box.lower[j] as Rational | null;
    const upper = box.upper[j] as Rational | null;
    if (lower === null || upper === null) return { column: j, at: (lower ?? upper ?? Rational.zero).floor() };
    const range = upper.subtract(lower);
    if (width === null || range.compare(width) > 0) {
      widest = j;
      width = range;
    }
  }
  if (widest === -1) return null;
  const lower = box.lower[widest] as Rational;
  return { column: widest, at: lower.floor() + ((width as Rational).floor() - 1n) / 2n };
}
