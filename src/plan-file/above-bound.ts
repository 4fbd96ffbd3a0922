import type { Rational } from "../exact/rational.js";

/**
 * (value − bound) / bound, 0 where both are equal and nowhere else; `null` where only the bound is 0, or so near to it that no double
 * is as large.
 */
export function aboveBound(value: Rational, bound: Rational): number | null {
  if (value.equals(bound)) return 0;
  if (bound.sign() === 0) return null;
  const share = value.subtract(bound).divide(bound).toNumber();
  return Number.isFinite(share) ? share || Number.MIN_VALUE : null;
}
