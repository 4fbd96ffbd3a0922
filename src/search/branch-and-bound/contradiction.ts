import { Rational } from "../../exact/rational.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box, View } from "../../proof/kernel/view.js";

/**
 * Looks for one row that no point of a box can keep: the multiplier that shows it (`lagrangianBound` with purpose
 * "infeasibility"), or `null` when every row alone can be kept.
 */
export function contradiction(view: View, box: Box): Multipliers | null {
  for (const [r, { form, lower, upper }] of view.rows) {
    const { least, greatest } = activityRange(form.columns, form.coefficients, box);
    const scale = Rational.of(form.denominator);
    if (upper !== null && least !== null && least.compare(upper.multiply(scale)) > 0) {
      return new Map([[r, Rational.of(-1n)]]);
    }
    if (lower !== null && greatest !== null && greatest.compare(lower.multiply(scale)) < 0) {
      return new Map([[r, Rational.one]]);
    }
  }
  return null;
}

/** Least and greatest Σ coefficient·x over a box; `null` where there is none. */
function activityRange(columns: readonly number[], coefficients: readonly bigint[], box: Box) {
  let least: Rational | null = Rational.zero;
  let greatest: Rational | null = Rational.zero;
  for (let k = 0; k < columns.length; k++) {
    const coefficient = Rational.of(coefficients[k] as bigint);
    const lower = box.lower[columns[k] as number] as Rational | null;
    const upper = box.upper[columns[k] as number] as Rational | null;
    const [low, high] = coefficient.sign() > 0 ? [lower, upper] : [upper, lower];
    least = least === null || low === null ? null : least.add(coefficient.multiply(low));
    greatest = greatest === null || high === null ? null : greatest.add(coefficient.multiply(high));
  }
  return { least, greatest };
}
