import { greatestCommonDivisor, Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { View } from "../../proof/kernel/view.js";

/** A side of a row as one of the form that its multiples share. */
interface SharedSide {
  readonly value: Rational;
  readonly row: number;
  /** The row is this times the shared form. */
  readonly scale: Rational;
}

/**
 * A Farkas combination of two rows that are multiples of each other and leave nothing between their sides, which the view
 * has rounded to what integers reach; `null` where no two do. Simplex and branching may not see it: sides beside large
 * coefficients are within a tolerance of each other.
 */
export function crossedRows({ rows }: View): Multipliers | null {
  const shared = new Map<string, { lower?: SharedSide; upper?: SharedSide }>();
  for (const [row, { form, lower, upper }] of rows) {
    if (form.columns.length === 0) continue;
    const { key, scale } = scaledForm(form);
    const sides = shared.get(key) ?? {};
    shared.set(key, sides);
    const side = (value: Rational) => ({ value: value.divide(scale), row, scale });
    const [low, high] = scale.sign() > 0 ? [lower, upper] : [upper, lower];
    if (low !== null && (sides.lower === undefined || low.divide(scale).compare(sides.lower.value) > 0)) {
      sides.lower = side(low);
    }
    if (high !== null && (sides.upper === undefined || high.divide(scale).compare(sides.upper.value) < 0)) {
      sides.upper = side(high);
    }
    const { lower: least, upper: most } = sides;
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

/** A form as a multiple of the one with whole coefficients without a common divisor, the first of them above 0. */
function scaledForm({ columns, coefficients, denominator }: LinearForm): { key: string; scale: Rational } {
  const divisor = coefficients.reduce((so, coefficient) => greatestCommonDivisor(so, coefficient), 0n);
  const signed = (coefficients[0] as bigint) < 0n ? -divisor : divisor;
  const whole = coefficients.map((coefficient) => (coefficient / signed).toString(36));
  return { key: `${columns.join()}:${whole.join()}`, scale: Rational.of(signed, denominator) };
}
