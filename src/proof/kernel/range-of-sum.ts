import { Rational } from "../../exact/rational.js";

/** factor · x for an x between bounds. */
interface Term {
  readonly factor: Rational;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** The least and the greatest value of a sum of terms; `null` where a term meets a missing bound. */
export function rangeOfSum(terms: Iterable<Term>): {
  readonly lower: Rational | null;
  readonly upper: Rational | null;
} {
  let lower: Rational | null = Rational.zero;
  let upper: Rational | null = Rational.zero;
  for (const { factor, ...bounds } of terms) {
    if (factor.sign() === 0) continue;
    const [low, high] = factor.sign() > 0 ? [bounds.lower, bounds.upper] : [bounds.upper, bounds.lower];
    lower = lower === null || low === null ? null : lower.add(factor.multiply(low));
    upper = upper === null || high === null ? null : upper.add(factor.multiply(high));
  }
  return { lower, upper };
}
