import { Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import { lagrangianBound, type Multipliers } from "./bound.js";
import type { Box, Cut, View } from "./view.js";

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
  const half = (own: Cut, { side, rows }: HalfProof) => {
    // The half's own inequality is one more cut.
    const known = { ...view, objective: form, constant: Rational.zero, cuts: new Map(view.cuts).set(HALF, own) };
    const { bound, infeasible } = lagrangianBound(known, box, new Map(rows).set(HALF, side));
    return infeasible ? "empty" : bound;
  };
  const negated = { ...split.form, coefficients: split.form.coefficients.map((coefficient) => -coefficient) };
  return [
    half({ form: negated, lower: split.at.negate(), upper: null }, proofs.below),
    half({ form: split.form, lower: split.at.add(Rational.one), upper: null }, proofs.above),
  ];
}

/** No row and no cut has this index. */
const HALF = -1;
