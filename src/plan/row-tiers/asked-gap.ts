import { Rational } from "../../exact/rational.js";

/**
 * The gap that was asked for, as it is written: 1e-9 is one part in 10⁹ and not the double next to it. Throws
 * `RangeError` unless it is a finite number of at least 0.
 */
export function askedGap(gap: number): Rational {
  if (!Number.isFinite(gap) || gap < 0) throw new RangeError(`a gap of at least 0 was expected, ${gap} is there`);
  return Rational.parse(String(gap));
}
