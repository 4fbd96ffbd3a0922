import type { Rational } from "../../../src/exact/rational.js";
import { coefficientAt, type LinearForm, type Program } from "../../../src/program/program.js";

/** Bounds as text: `[0, -]` is lower bound 0 and no upper bound. */
export const interval = ({ lower, upper }: { lower: Rational | null; upper: Rational | null }) =>
  `[${lower ?? "-"}, ${upper ?? "-"}]`;

export const formText = (program: Program, form: LinearForm) =>
  form.columns.map((column, k) => `${coefficientAt(form, k)} ${program.columns[column]?.name}`).join(" + ");

/** Each row as `name: form in [lower, upper]`. */
export const rowText = (program: Program) =>
  program.rows.map((row) => `${row.name}: ${formText(program, row.form)} in ${interval(row)}`);

/** Each column as `name [lower, upper]`, with `integer` where it is. */
export const columnText = (program: Program) =>
  program.columns.map((column) => `${column.name} ${interval(column)}${column.integer ? " integer" : ""}`);
