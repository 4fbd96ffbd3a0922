import { ExactSum } from "../exact/exact-sum.js";
import { Rational } from "../exact/rational.js";
import type { Column, LinearForm, Program } from "./program.js";

/** One condition a point breaks, and by how much (always positive), in exact arithmetic with zero tolerance. */
export interface Violation {
  readonly kind: "row-lower" | "row-upper" | "column-lower" | "column-upper" | "integrality";
  /** Index of the row or column. */
  readonly index: number;
  readonly name: string;
  /** Distance to the bound, or to the nearest integer. */
  readonly amount: Rational;
}

/** What a point is worth: its objective, every row's activity, and all the conditions it breaks. */
export interface Evaluation {
  readonly objective: Rational;
  readonly rowActivities: readonly Rational[];
  readonly violations: readonly Violation[];
}

/** Σ coefficient · point over a linear form, exact. */
export function formValue(form: LinearForm, point: readonly Rational[]): Rational {
  let integers = 0n;
  const fractions = new ExactSum();
  for (let k = 0; k < form.columns.length; k++) {
    const { numerator, denominator } = point[form.columns[k] as number] as Rational;
    if (numerator === 0n) continue;
    const term = (form.coefficients[k] as bigint) * numerator;
    if (denominator === 1n) integers += term;
    else fractions.add(term, denominator);
  }
  if (integers !== 0n) fractions.add(integers, 1n);
  return fractions.total(form.denominator);
}

/** The objective's value at a point (one rational per column), exact. */
export function objectiveValue(program: Program, point: readonly Rational[]): Rational {
  return formValue(program.objective.form, point).add(program.objective.constant);
}

/**
 * Evaluates a point (one rational per column) with zero tolerance. Throws `RangeError` when the point's length is not
 * the number of columns.
 */
export function evaluate(program: Program, point: readonly Rational[]): Evaluation {
  if (point.length !== program.columns.length) {
    throw new RangeError(`a point of ${program.columns.length} values was expected, ${point.length} were given`);
  }
  const violations: Violation[] = [];
  program.columns.forEach((column, index) => {
    addOfColumn(violations, index, point[index] as Rational, column);
  });
  const rowActivities = program.rows.map((row, index) => {
    const activity = formValue(row.form, point);
    addOfSides(violations, "row", index, activity, row);
    return activity;
  });
  return { objective: objectiveValue(program, point), rowActivities, violations };
}

/** Adds what a column's value breaks. */
export function addOfColumn(violations: Violation[], index: number, value: Rational, column: Column): void {
  addOfSides(violations, "column", index, value, column);
  if (!column.integer || value.isInteger()) return;
  violations.push({ kind: "integrality", index, name: column.name, amount: distanceToInteger(value) });
}

/** Adds the sides of a row or column that a value is beyond. */
export function addOfSides(
  violations: Violation[],
  what: "row" | "column",
  index: number,
  value: Rational,
  { name, lower, upper }: Omit<Column, "integer">,
): void {
  const add = (side: "lower" | "upper", amount: Rational) =>
    violations.push({ kind: `${what}-${side}`, index, name, amount });
  if (lower !== null && value.compare(lower) < 0) add("lower", lower.subtract(value));
  if (upper !== null && value.compare(upper) > 0) add("upper", value.subtract(upper));
}

function distanceToInteger(value: Rational): Rational {
  const below = value.subtract(Rational.of(value.floor()));
  const above = Rational.one.subtract(below);
  return below.compare(above) < 0 ? below : above;
}
