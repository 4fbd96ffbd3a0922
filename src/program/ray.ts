import type { Rational } from "../exact/rational.js";
import { formValue } from "./evaluate.js";
import type { Column, Program } from "./program.js";

/**
 * Whether a direction (one rational per column) leads from every feasible point of a program through feasible points
 * alone, however many whole steps one goes, and improves the objective all the way: it keeps every row and bound, is
 * whole in integer columns, and gains. With a feasible point it shows that the objective is unbounded.
 */
export function isImprovingRay(program: Program, ray: readonly Rational[]): boolean {
  const keeps = (change: Rational, { lower, upper }: Pick<Column, "lower" | "upper">) =>
    !(lower !== null && change.sign() < 0) && !(upper !== null && change.sign() > 0);
  const { form, sense } = program.objective;
  const gain = formValue(form, ray).sign();
  return (
    program.columns.every((column, j) => {
      const change = ray[j] as Rational;
      return keeps(change, column) && (!column.integer || change.isInteger());
    }) &&
    program.rows.every((row) => keeps(formValue(row.form, ray), row)) &&
    (sense === "minimize" ? gain < 0 : gain > 0)
  );
}
