import { Rational } from "../../exact/rational.js";
import {
  type Column,
  coefficientAt,
  freeName,
  type LinearForm,
  linearForm,
  makeProgram,
  type Program,
  type Row,
} from "../../program/program.js";
import { rangeOfSum } from "./range-of-sum.js";

/**
 * Another basis of the integer lattice: the integer columns x of a program, in order, as x = U·y with y integer. U and its
 * inverse V are integer matrices, so that every integer x has exactly one integer y.
 */
export interface LatticeBasis {
  readonly matrix: readonly (readonly bigint[])[];
  readonly inverse: readonly (readonly bigint[])[];
}

/** A basis that is not one: wrong shape, or the two matrices are not each other's inverse. */
export class BasisError extends Error {
  override readonly name = "BasisError";
}

/**
 * The program in the coordinates of another lattice basis: integer columns y (first, in order) in place of the integer
 * columns, continuous columns behind them, every row and the objective rewritten, and a row for each bound that an integer
 * column had. Thin programs that branching on x would walk through for ever can be a few nodes in y. The bounds of y are
 * those that y = V·x takes over the box of x. Both programs have the same feasible points and values.
 *
 * Throws {@link BasisError} when `basis` is not a basis.
 */
export function reformulate(program: Program, basis: LatticeBasis): Program {
  const integers = program.columns.flatMap(({ integer }, j) => (integer ? [j] : []));
  requireInverse(basis, integers.length);
  const taken = new Set(program.columns.filter(({ integer }) => !integer).map(({ name }) => name));
  const columns: Column[] = basis.inverse.map((row, k) => {
    const name = freeName(`y_${k}`, taken);
    taken.add(name);
    const terms = row.map((entry, i) => ({
      factor: Rational.of(entry),
      ...(program.columns[integers[i] as number] as Column),
    }));
    return { name, integer: true, ...rangeOfSum(terms) };
  });
  /** What each column of the program is in the new ones. */
  const meaning: (readonly (readonly [number, Rational])[])[] = [];
  let integerSeen = 0;
  for (const column of program.columns) {
    if (column.integer) {
      const row = basis.matrix[integerSeen++] as readonly bigint[];
      meaning.push(row.map((entry, k) => [k, Rational.of(entry)] as const));
    } else {
      meaning.push([[columns.length, Rational.one]]);
      columns.push(column);
    }
  }
  const rewrite = (form: LinearForm): LinearForm =>
    linearForm(
      form.columns.flatMap((j, k) => {
        const factor = coefficientAt(form, k);
        return (meaning[j] as (typeof meaning)[number]).map(
          ([column, coefficient]) => [column, coefficient.multiply(factor)] as const,
        );
      }),
    );
  const rows: Row[] = program.rows.map((row) => ({ ...row, form: rewrite(row.form) }));
  const rowNames = new Set([...rows.map(({ name }) => name), program.objective.name]);
  for (const j of integers) {
    const { name, lower, upper } = program.columns[j] as Column;
    if (lower === null && upper === null) continue;
    const rowName = freeName(`bounds_${name}`, rowNames);
    rowNames.add(rowName);
    rows.push({ name: rowName, form: linearForm(meaning[j] as (typeof meaning)[number]), lower, upper });
  }
  return makeProgram({
    name: program.name,
    columns,
    rows,
    objective: { ...program.objective, form: rewrite(program.objective.form) },
  });
}

/** The point of the program that a point of its reformulation is. */
export function originalPoint(program: Program, basis: LatticeBasis, point: readonly Rational[]): readonly Rational[] {
  const size = basis.matrix.length;
  let integerSeen = 0;
  let continuousSeen = 0;
  return program.columns.map(({ integer }) => {
    if (!integer) return point[size + continuousSeen++] as Rational;
    return product(basis.matrix[integerSeen++] as readonly bigint[], point);
  });
}

/** The point of the reformulation that a point of the program is. */
export function reformulatedPoint(
  program: Program,
  basis: LatticeBasis,
  point: readonly Rational[],
): readonly Rational[] {
  const integers = point.filter((_, j) => program.columns[j]?.integer === true);
  const continuous = point.filter((_, j) => program.columns[j]?.integer !== true);
  return [...basis.inverse.map((row) => product(row, integers)), ...continuous];
}

/** Of a row of a matrix with the first entries of a point. */
function product(row: readonly bigint[], point: readonly Rational[]): Rational {
  return row.reduce((sum, entry, k) => sum.add((point[k] as Rational).multiply(Rational.of(entry))), Rational.zero);
}

function requireInverse({ matrix, inverse }: LatticeBasis, size: number): void {
  for (const square of [matrix, inverse]) {
    if (square.length !== size || square.some((row) => row.length !== size)) {
      throw new BasisError(`a lattice basis of ${size} × ${size} was expected`);
    }
  }
  matrix.forEach((row, i) => {
    for (let k = 0; k < size; k++) {
      let sum = 0n;
      for (let l = 0; l < size; l++) sum += (row[l] as bigint) * ((inverse[l] as readonly bigint[])[k] as bigint);
      if (sum !== (i === k ? 1n : 0n)) throw new BasisError("the two matrices of the lattice basis are not inverse");
    }
  });
}
