import { greatestCommonDivisor, Rational } from "../../exact/rational.js";
import type { LinearForm, Row } from "../../program/program.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { View } from "../../proof/kernel/view.js";

/** A side of a row as one of the form that its multiples share. */
interface SharedSide {
  readonly value: Rational;
  readonly row: number;
  /** The row is this times the shared form. */
  readonly scale: Rational;
}

/** What rows that are multiples of each other come to together: the form that they share, and the nearest sides. */
interface SharedRow {
  /** Its coefficients are whole, without a common divisor, the first of them above 0. */
  readonly form: LinearForm;
  lower?: SharedSide;
  upper?: SharedSide;
  members: number;
}

/** The rows of a view by the form that they share with their multiples; rows without columns are left out. */
function sharedRows({ rows }: View): ReadonlyMap<string, SharedRow> {
  const shared = new Map<string, SharedRow>();
  for (const [row, { form, lower, upper }] of rows) {
    if (form.columns.length === 0) continue;
    const { whole, scale } = scaledForm(form);
    const key = `${whole.columns.join()}:${whole.coefficients.join()}`;
    const all = shared.get(key) ?? { form: whole, members: 0 };
    shared.set(key, all);
    all.members++;
    const side = (value: Rational) => ({ value: value.divide(scale), row, scale });
    const [low, high] = scale.sign() > 0 ? [lower, upper] : [upper, lower];
    if (low !== null && (all.lower === undefined || low.divide(scale).compare(all.lower.value) > 0)) {
      all.lower = side(low);
    }
    if (high !== null && (all.upper === undefined || high.divide(scale).compare(all.upper.value) < 0)) {
      all.upper = side(high);
    }
  }
  return shared;
}

/**
 * A Farkas combination of two rows that are multiples of each other and leave nothing between their sides, which the view
 * has rounded to what integers reach; `null` where no two do. Simplex and branching may not see it: sides beside large
 * coefficients are within a tolerance of each other.
 */
export function crossedRows(view: View): Multipliers | null {
  for (const { lower: least, upper: most } of sharedRows(view).values()) {
    if (least === undefined || most === undefined || least.value.compare(most.value) <= 0) continue;
    // Within one row nothing needs to be combined: the view knows.
    if (least.row === most.row) continue;
    const [one, minusOne] = [Rational.one, Rational.one.negate()];
    return new Map([
      [least.row, one.divide(least.scale)],
      [most.row, minusOne.divide(most.scale)],
    ]);
  }
  return null;
}

/** Rows that stand for several multiples of themselves: a strip between two of them may be an equation. */
export function mergedRows(view: View): readonly Pick<Row, "form" | "lower" | "upper">[] {
  return [...sharedRows(view).values()]
    .filter(({ members }) => members > 1)
    .map(({ form, lower, upper }) => ({ form, lower: lower?.value ?? null, upper: upper?.value ?? null }));
}

/** A form as a multiple of the one with whole coefficients without a common divisor, the first of them above 0. */
function scaledForm({ columns, coefficients, denominator }: LinearForm): { whole: LinearForm; scale: Rational } {
  const divisor = coefficients.reduce((so, coefficient) => greatestCommonDivisor(so, coefficient), 0n);
  const signed = (coefficients[0] as bigint) < 0n ? -divisor : divisor;
  const whole = { columns, coefficients: coefficients.map((coefficient) => coefficient / signed), denominator: 1n };
  return { whole, scale: Rational.of(signed, denominator) };
}
