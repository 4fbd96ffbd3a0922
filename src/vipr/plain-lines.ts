import type { Rational } from "../exact/rational.js";
import type { Coefficients, Combination, Fact } from "./combination.js";
import type { Derivations } from "./derivations.js";
import { difference } from "./sums.js";
import { ViprUnsupportedError } from "./unsupported.js";

/**
 * A line `form ≥ rhs` of a cut, from plain inequalities alone whose sum says so, or says 0 ≥ something positive. Throws
 * {@link ViprUnsupportedError} where there is more in the sum.
 */
export function statePlainly(derivations: Derivations, sum: Combination, form: Coefficients, rhs: Rational): Fact {
  if (sum.weight.sign() !== 0)
    throw cutUnsupported("rests on a continuous column's bound that the objective's limit gave");
  const isAbsurd = sum.coefficients.size === 0 && sum.rhs.sign() > 0;
  // A bound of such a column can be a row beside it: then the sum may be of other columns than the line, or say less.
  const rest = [...difference(form, sum.coefficients).values()];
  const says = isAbsurd || (rest.every((value) => value.sign() === 0) && sum.rhs.compare(rhs) >= 0);
  if (sum.sources.length > 0 || !says)
    throw cutUnsupported("rests on a bound of a column that is an integer at some optimum only");
  sum.coefficients.clear();
  for (const [column, coefficient] of form) sum.coefficients.set(column, coefficient);
  return derivations.derive("lin", sum, rhs, "lower");
}

export function cutUnsupported(why: string): ViprUnsupportedError {
  return new ViprUnsupportedError(`a cut ${why}`);
}
