import type { Rational } from "../../exact/rational.js";
import { coefficientAt, type LinearForm } from "../../program/program.js";
import type { ViewRow } from "../../proof/kernel/view.js";
import type { SearchSpace } from "../branch-and-bound/space.js";

/** A row or cut of a view in doubles, with what it comes to at the point that is to be cut off. */
export interface DoubleRow {
  readonly columns: readonly number[];
  readonly values: Float64Array;
  readonly lower: number;
  readonly upper: number;
  readonly activity: number;
  /** Integer coefficients of integer columns, and integer sides: its slack is an integer too. */
  readonly isInteger: boolean;
  /** The largest coefficient. */
  readonly size: number;
}

/** The linear relaxation of a space in doubles, with an optimum of it. Absent bounds are ±Infinity. */
export interface DoubleProgram {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Declared integer: what is only implied to be is left to the other rules. */
  readonly integer: readonly boolean[];
  readonly point: Float64Array;
  /** By the view's index, cuts among them. */
  readonly rows: ReadonlyMap<number, DoubleRow>;
  /** The rows that each column is in. */
  readonly rowsOf: readonly (readonly number[])[];
  /** The rows of each continuous column and one integer alone: x ≤ u·y, of fixed charges. */
  readonly variableBoundsOf: readonly (readonly number[])[];
  /** Zeros by column, for whoever adds up rows and leaves zeros behind. */
  readonly scratch: { readonly sums: Float64Array; readonly sizes: Float64Array };
}

export function inDoubles({ program, view, box }: SearchSpace, point: Float64Array): DoubleProgram {
  const integer = view.columns.map((column) => program.columns[column]?.integer === true);
  const rows = new Map<number, DoubleRow>();
  const rowsOf: number[][] = view.columns.map(() => []);
  for (const part of [view.rows, view.cuts]) {
    for (const [key, row] of part) {
      rows.set(key, doubleRow(row, integer, point));
      for (const j of row.form.columns) rowsOf[j]?.push(key);
    }
  }
  const variableBoundsOf = view.columns.map(() => [] as number[]);
  for (const [key, { columns }] of rows) {
    if (columns.length !== 2) continue;
    const [continuous, ...others] = columns.filter((j) => integer[j] !== true);
    if (continuous !== undefined && others.length === 0) variableBoundsOf[continuous]?.push(key);
  }
  const bounds = (side: readonly (Rational | null)[], none: number) =>
    Float64Array.from(side, (value) => value?.toNumber() ?? none);
  return {
    lower: bounds(box.lower, Number.NEGATIVE_INFINITY),
    upper: bounds(box.upper, Number.POSITIVE_INFINITY),
    integer,
    point,
    rows,
    rowsOf,
    variableBoundsOf,
    scratch: { sums: new Float64Array(point.length), sizes: new Float64Array(point.length) },
  };
}

function doubleRow({ form, lower, upper }: ViewRow, integer: readonly boolean[], point: Float64Array): DoubleRow {
  const values = Float64Array.from(coefficients(form));
  let activity = 0;
  let size = 0;
  form.columns.forEach((j, k) => {
    activity += (values[k] as number) * (point[j] as number);
    size = Math.max(size, Math.abs(values[k] as number));
  });
  return {
    columns: form.columns,
    values,
    lower: lower?.toNumber() ?? Number.NEGATIVE_INFINITY,
    upper: upper?.toNumber() ?? Number.POSITIVE_INFINITY,
    activity,
    isInteger:
      form.denominator === 1n &&
      form.columns.every((j) => integer[j] === true) &&
      (lower?.isInteger() ?? true) &&
      (upper?.isInteger() ?? true),
    size,
  };
}

function coefficients(form: LinearForm): number[] {
  return form.columns.map((_, k) => coefficientAt(form, k).toNumber());
}
