import { Rational } from "../../exact/rational.js";
import type { SearchSpace } from "./space.js";

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
