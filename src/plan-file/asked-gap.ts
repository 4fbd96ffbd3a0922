import { Rational } from "../exact/rational.js";

/**
 * The gap that was asked for, as it is written: 1e-9 is one part in 10⁹ and not the double next to it. A gap of 1 would let
 * a bound of 0 prove anything. Throws `RangeError` unless it is a number of at least 0 and below 1.
 */
export function askedGap(gap: number): Rational {
  if (!(gap >= 0 && gap < 1)) throw new RangeError(`a gap of at least 0 and below 1 was expected, ${gap} is there`);
  return Rational.parse(String(gap));
}
