import { floorDivide, Rational } from "../../../exact/rational.js";
import { integerForm } from "../../../program/program.js";
import { fields, type NamedMultipliers, readMultipliers, within } from "../../grammar.js";
import type { Multipliers } from "../../kernel/bound.js";
import { type Box, roundSides, type View, type ViewRow } from "../../kernel/view.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Replaces rows by Chvátal–Gomory roundings of their upper sides, each times a positive factor. */
export interface RoundStep {
  readonly round: NamedMultipliers;
}

/**
 * With a factor f > 0 and integer columns x ≥ l, a row Σ a·x ≤ b implies
 *
 *   Σ ⌊f·a⌋·(x − l) ≤ ⌊f·(b − Σ a·l)⌋,
 *
 * because the left side is an integer and at most f·Σ a·(x − l) (Chvátal 1973). The lower side of such a row is given up.
 * (Costs that are whole hundredths but for the rounding of doubles become whole numbers so.) What was concluded before from the row
 * goes on to hold for the points that matter, though not for all that keep the new one: see `View.isRelaxed`.
 *
 * Side conditions: the factor is above zero, the row has an upper side, and all its columns are integers bounded below. A
 * row that the view has left out is satisfied, and stays so.
 */
export const round: Rule<ProgramTree, RoundStep> = {
  read: (json, step) => ({ round: readMultipliers(fields(json, ["round"], step).round, step) }),
  check(tree, { round: named }, step) {
    const factors = tree.multipliers(named, step);
    tree.view = within(step, () => roundRows(tree.view, tree.box, factors));
    tree.reduce();
  },
};

/** The view with some rows rounded. Throws `RangeError` where a side condition does not hold. */
export function roundRows(view: View, box: Box, factors: Multipliers): View {
  const rows = new Map(view.rows);
  for (const [r, factor] of factors) {
    if (factor.sign() <= 0) throw new RangeError(`a row is rounded with a positive factor, ${factor} is there`);
    const row = rows.get(r);
    if (row !== undefined) rows.set(r, rounded(view, box, row, factor));
  }
  return { ...view, rows, isRelaxed: true };
}

function rounded(view: View, box: Box, { form, upper }: ViewRow, factor: Rational): ViewRow {
  if (upper === null) throw new RangeError("a row without an upper side cannot be rounded");
  const denominator = form.denominator * factor.denominator;
  let side = upper;
  let shift = 0n;
  const coefficients = form.columns.map((j, k) => {
    const lower = box.lower[j] ?? null;
    if (view.integer[j] !== true || lower === null) {
      throw new RangeError("only a row over integers that are bounded below can be rounded");
    }
    const coefficient = form.coefficients[k] as bigint;
    const whole = floorDivide(coefficient * factor.numerator, denominator);
    side = side.subtract(lower.multiply(Rational.of(coefficient, form.denominator)));
    shift += whole * lower.numerator;
    return whole;
  });
  const most = side.multiply(factor).floor() + shift;
  const row = { form: integerForm(form.columns, coefficients, 1n), lower: null, upper: Rational.of(most) };
  return roundSides(row, view.integer, view.groups, view.groupOf);
}
