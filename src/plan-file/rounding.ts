import { InputError } from "../errors/input-error.js";
import type { Rational } from "../exact/rational.js";

/** The nearest double of an exact number. Throws `InputError` where it is beyond the range of doubles. */
export function nearest(value: Rational): number {
  return finite(value.toNumber());
}

/** A proved lower bound, never printed higher than it is; the same double as `value` where both are equal. */
export function boundBelow(bound: Rational, value: Rational): number {
  return finite(bound.equals(value) ? value.toNumber() : bound.toNumberDown());
}

/** A gap, never printed smaller than it is. */
export function gapAbove(gap: Rational): number {
  return finite(gap.toNumberUp());
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new InputError("expected quantities whose results can be written as numbers, received some beyond 1.8e308");
}
