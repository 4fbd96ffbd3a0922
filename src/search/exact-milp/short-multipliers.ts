import { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";

/** Binary digits of the dual that moves reduced costs the most; the others have no finer units beside it. */
const DIGITS = 22;

/**
 * Duals as rationals of few digits: exact arithmetic with them takes a fraction of the time, and so does their text. Each is
 * rounded to a power of two that moves no reduced cost by more than 2⁻²² of what the greatest moves one. `sizeOf`: the largest
 * coefficient of a row.
 */
export function shortMultipliers(duals: ReadonlyMap<number, number>, sizeOf: (row: number) => number): Multipliers {
  let most = 0;
  for (const [r, dual] of duals) most = Math.max(most, Math.abs(dual) * sizeOf(r));
  const multipliers = new Map<number, Rational>();
  for (const [r, dual] of duals) {
    const unit = 2 ** (Math.ceil(Math.log2(most / sizeOf(r))) - DIGITS);
    const value = Math.round(dual / unit) * unit;
    if (value !== 0 && Number.isFinite(value)) multipliers.set(r, Rational.fromNumber(value));
  }
  return multipliers;
}
