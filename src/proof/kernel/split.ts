import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import { integerForm, type LinearForm } from "../../program/program.js";
import { lagrangianBound, type Multipliers } from "./bound.js";
import type { Box, View } from "./view.js";

/** The disjunction form ≤ at or form ≥ at + 1, over a view's columns. */
export interface Split {
  readonly form: LinearForm;
  readonly at: Rational;
}

/** What proves a cut in one half of a split: a multiplier of the half's own inequality, not negative, and those of rows. */
export interface HalfProof {
  readonly side: Rational;
  readonly rows: Multipliers;
}

/**
 * The least that multipliers show a form to be in each half of a split; `null` where they show nothing there, `"empty"`
 * where the box itself holds no point. A split of integers by an integer leaves no integer point out, so that the lesser
 * of the two holds for all of them (Cook, Kannan and Schrijver 1990).
 */
export function leastInHalves(
  view: View,
  box: Box,
  form: LinearForm,
  split: Split,
  proofs: Readonly<Record<"below" | "above", HalfProof>>,
): readonly (Rational | "empty" | null)[] {
  const half = (factor: Rational, limit: Rational, rows: Multipliers) => {
    // With the half's inequality priced: form + factor·(split.form − limit).
    const objective = plus(form, split.form, factor);
    const constant = factor.multiply(limit).negate();
    const { bound, infeasible } = lagrangianBound({ ...view, objective, constant }, box, rows);
    return infeasible ? "empty" : bound;
  };
  return [
    half(proofs.below.side, split.at, proofs.below.rows),
    half(proofs.above.side.negate(), split.at.add(Rational.one), proofs.above.rows),
  ];
}

/** form + factor·other. */
function plus(form: LinearForm, other: LinearForm, factor: Rational): LinearForm {
  const denominator = leastCommonMultiple(form.denominator, other.denominator * factor.denominator);
  const sums = new Map<number, bigint>();
  const own = denominator / form.denominator;
  form.columns.forEach((j, k) => {
    sums.set(j, (form.coefficients[k] as bigint) * own);
  });
  const share = (denominator / (other.denominator * factor.denominator)) * factor.numerator;
  other.columns.forEach((j, k) => {
    sums.set(j, (sums.get(j) ?? 0n) + (other.coefficients[k] as bigint) * share);
  });
  const columns = [...sums.keys()].sort((a, b) => a - b);
  return integerForm(
    columns,
    columns.map((j) => sums.get(j) as bigint),
    denominator,
  );
}
