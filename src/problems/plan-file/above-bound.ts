import type { Rational } from "../../exact/rational.js";
import { nearest } from "./rounding.js";

/** (value − bound) / bound, 0 where both are equal and nowhere else; `null` where only the bound is 0. */
export function aboveBound(value: Rational, bound: Rational): number | null {
  if (value.equals(bound)) return 0;
  return bound.sign() === 0 ? null : nearest(value.subtract(bound).divide(bound)) || Number.MIN_VALUE;
}
