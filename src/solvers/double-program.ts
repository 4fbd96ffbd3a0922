import { coefficientAt, type LinearForm, type Program } from "../program/program.js";
import type { DoubleArrays } from "./scaled-model.js";

/** A program rounded to doubles in its own units: what the validator computes with. Absent bounds are ±Infinity. */
export interface DoubleProgram extends DoubleArrays {
  readonly program: Program;
  readonly constant: number;
}

/** Rounds every number of a program to the nearest double (beyond their range, to an infinity). Remembered per program. */
export function doubleProgram(program: Program): DoubleProgram {
  const known = remembered.get(program);
  if (known !== undefined) return known;
  const { columns, rows, objective } = program;
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, i) => {
    starts[i + 1] = (starts[i] as number) + row.form.columns.length;
  });
  const indices = new Int32Array(starts[rows.length] as number);
  const values = new Float64Array(starts[rows.length] as number);
  rows.forEach((row, i) => {
    indices.set(row.form.columns, starts[i] as number);
    values.set(coefficients(row.form), starts[i] as number);
  });
  const cost = new Float64Array(columns.length);
  coefficients(objective.form).forEach((value, k) => {
    cost[objective.form.columns[k] as number] = value;
  });
  const result: DoubleProgram = {
    program,
    cost,
    constant: objective.constant.toNumber(),
    columnLower: Float64Array.from(columns, (column) => column.lower?.toNumber() ?? Number.NEGATIVE_INFINITY),
    columnUpper: Float64Array.from(columns, (column) => column.upper?.toNumber() ?? Number.POSITIVE_INFINITY),
    rowLower: Float64Array.from(rows, (row) => row.lower?.toNumber() ?? Number.NEGATIVE_INFINITY),
    rowUpper: Float64Array.from(rows, (row) => row.upper?.toNumber() ?? Number.POSITIVE_INFINITY),
    starts,
    indices,
    values,
  };
  remembered.set(program, result);
  return result;
}

const remembered = new WeakMap<Program, DoubleProgram>();

function coefficients(form: LinearForm): number[] {
  const denominator = Number(form.denominator);
  return form.coefficients.map((coefficient, k) => {
    const quotient = Number(coefficient) / denominator;
    return Number.isFinite(quotient) && Number.isSafeInteger(denominator)
      ? quotient
      : coefficientAt(form, k).toNumber();
  });
}

/** A program's doubles are shared; bounds change in copies. */
export function ownBounds(doubles: DoubleProgram): DoubleProgram {
  return {
    ...doubles,
    columnLower: doubles.columnLower.slice(),
    columnUpper: doubles.columnUpper.slice(),
    rowLower: doubles.rowLower.slice(),
    rowUpper: doubles.rowUpper.slice(),
  };
}
