import { Rational } from "../../../exact/rational.js";

/**
 * How a number is written where readers want a plain one: as a JSON number where a double is exactly that, otherwise
 * (one third, one tenth, an integer beyond what doubles hold) as its exact text, `"1/3"`.
 */
export function exactNumber(value: Rational): number | string {
  const double = value.toNumber();
  return Number.isFinite(double) && Rational.fromNumber(double).equals(value) ? double : value.toString();
}

/** The nearest double; the exact text of what is beyond the range of doubles. */
export function nearestNumber(value: Rational): number | string {
  return finite(value.toNumber(), value);
}

/**
 * A proved bound, never printed as more than was proved: rounded down when minimising, up when maximising; the same
 * double as `value` where both are equal.
 */
export function boundNumber(bound: Rational, value: Rational | null, sense: "minimize" | "maximize"): number | string {
  if (value?.equals(bound)) return nearestNumber(bound);
  return finite(sense === "minimize" ? bound.toNumberDown() : bound.toNumberUp(), bound);
}

/** A gap, never printed smaller than it is. */
export function gapNumber(gap: Rational): number | string {
  return finite(gap.toNumberUp(), gap);
}

function finite(double: number, value: Rational): number | string {
  return Number.isFinite(double) ? double : value.toString();
}
