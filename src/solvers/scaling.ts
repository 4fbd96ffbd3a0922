import { bitLength, greatestCommonDivisor, Rational } from "../exact/rational.js";
import type { Column, LinearForm, Program, Row } from "../program/program.js";
import type { ScaledModel } from "./scaled-model.js";
import { SolverError } from "./solver-error.js";

/**
 * A program made ready for a solver, with what leads its answers back.
 *
 * With f the row factors, κ the column factors and g the objective factor: a'ᵢⱼ = fᵢ·aᵢⱼ·κⱼ, c'ⱼ = g·cⱼ·κⱼ, and so
 * xⱼ = κⱼ·x'ⱼ, yᵢ = y'ᵢ·fᵢ/g, objective = objective'/g + constant.
 */
export interface Scaling {
  readonly model: ScaledModel;
  /** f, positive: clears the row's denominator and common divisor, then times a power of two. */
  readonly rowFactors: Float64Array;
  /** κ, powers of two; 1 for integer columns. */
  readonly columnFactors: Float64Array;
  /** g, negative when the program maximises. */
  readonly objectiveFactor: number;
  /** The objective's constant, unscaled. */
  readonly constant: number;
  /** Set when exact arithmetic alone already shows that no point exists (crossed bounds, an impossible empty row). */
  readonly infeasible?: string;
}

/** Rows and the objective are brought below 2^10 (exponent 9): rows of small integers stay as they are. */
const TARGET = 9;
/**
 * A form with coefficients of very different sizes is raised until its smallest reaches 2^smallest, as long as its
 * largest stays at 2^largest. For rows: HiGHS drops entries up to 1e-9 and refuses those from 1e15. For the objective: a
 * cost near the dual tolerance of 1e-7 is not optimised.
 */
const ROW_RANGE = { smallest: -24, largest: 46 };
const COST_RANGE = { smallest: -12, largest: 30 };
/** A continuous column is rescaled when an entry is below 2^-20 of its row's largest. */
const THIN_COLUMN = -20;
const MAX_COLUMN_EXPONENT = 500;
const DROPPED = 1e-9;
const INFINITE = 1e20;

/**
 * Turns an exact program into doubles of sensible magnitude.
 *
 * Every row becomes integers without a common divisor, and is multiplied by a power of two if its largest coefficient
 * is then above 2^10, so that a solver's absolute tolerance of 1e-6 means about one part in 1e9 of the row. Continuous
 * columns whose entries are tiny beside the others of their rows (bytes beside seconds) are scaled by a power of two, no
 * further than their bounds allow. Bounds of integer columns, and of rows with integer columns only, are rounded
 * inwards, which changes no solution. What is left is rounded to the nearest double.
 *
 * @param relaxation drops integrality
 * @throws SolverError (`unsupported`) naming the row or column when a coefficient is so small beside the others of its
 * row that solvers would drop it, or a bound is beyond what they take for infinite
 */
export function scaleProgram(program: Program, relaxation = false): Scaling {
  const integer = program.columns.map((column) => column.integer && !relaxation);
  const forms = program.rows.map((row) => primitiveForm(row.form));
  const exponents = columnExponents(program.columns, forms, integer);
  const rows = scaledRows(program, forms, exponents, integer);
  const columns = scaledColumns(program.columns, exponents, integer);
  const objective = scaledObjective(program, exponents);
  const infeasible = rows.impossible ?? columns.impossible;
  return {
    model: {
      columnCount: program.columns.length,
      rowCount: program.rows.length,
      cost: objective.cost,
      columnLower: columns.lower,
      columnUpper: columns.upper,
      rowLower: rows.lower,
      rowUpper: rows.upper,
      starts: rows.starts,
      indices: rows.indices,
      values: rows.values,
      ...(integer.some(Boolean) && { integrality: Int32Array.from(integer, Number) }),
    },
    rowFactors: rows.factors,
    columnFactors: Float64Array.from(exponents, (exponent) => 2 ** exponent),
    objectiveFactor: objective.factor,
    constant: program.objective.constant.toNumber(),
    ...(infeasible !== undefined && { infeasible }),
  };
}

/** Exponents that bring the entries of thin continuous columns, on (geometric) average, to the size of their rows. */
function columnExponents(
  columns: readonly Column[],
  forms: readonly PrimitiveForm[],
  integer: readonly boolean[],
): Int32Array {
  const smallest = new Float64Array(columns.length).fill(Number.POSITIVE_INFINITY);
  const largest = new Float64Array(columns.length).fill(Number.NEGATIVE_INFINITY);
  for (const form of forms) {
    const exponents = form.integers.map(exponentOf);
    const rowLargest = exponents.reduce((most, exponent) => Math.max(most, exponent), Number.NEGATIVE_INFINITY);
    exponents.forEach((exponent, k) => {
      const column = form.columns[k] as number;
      smallest[column] = Math.min(smallest[column] as number, exponent - rowLargest);
      largest[column] = Math.max(largest[column] as number, exponent - rowLargest);
    });
  }
  return Int32Array.from(columns, ({ lower, upper }, j) => {
    if (integer[j] || (smallest[j] as number) >= THIN_COLUMN) return 0;
    const wanted = -Math.round(((smallest[j] as number) + (largest[j] as number)) / 2);
    // A column squeezed between scaled bounds closer than the tolerances would be taken for fixed.
    const width = lower === null || upper === null ? Number.POSITIVE_INFINITY : upper.subtract(lower).toNumber();
    const allowed = width > 1 ? Math.floor(Math.log2(width)) : 0;
    return Math.min(wanted, allowed, MAX_COLUMN_EXPONENT);
  });
}

/**
 * The power of two that brings a form's largest entry to 2^9…2^10, or 0 where it already lies between 1 and 2^10; more
 * where the range of the entries asks for it.
 */
function rowShift(
  form: PrimitiveForm,
  exponents: Int32Array,
  range: { readonly smallest: number; readonly largest: number },
): number {
  if (form.columns.length === 0) return 0;
  let largest = Number.NEGATIVE_INFINITY;
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < form.columns.length; k++) {
    const exponent = exponentOf(form.integers[k] as bigint) + (exponents[form.columns[k] as number] as number);
    largest = Math.max(largest, exponent);
    smallest = Math.min(smallest, exponent);
  }
  const shift = largest >= 0 && largest <= TARGET ? 0 : TARGET - largest;
  return Math.max(shift, Math.min(range.smallest - smallest, range.largest - largest));
}

function scaledRows(
  program: Program,
  forms: readonly PrimitiveForm[],
  exponents: Int32Array,
  integer: readonly boolean[],
) {
  const nonZeros = forms.reduce((sum, form) => sum + form.columns.length, 0);
  const starts = new Int32Array(forms.length + 1);
  const indices = new Int32Array(nonZeros);
  const values = new Float64Array(nonZeros);
  const factors = new Float64Array(forms.length);
  const lower = new Float64Array(forms.length).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(forms.length).fill(Number.POSITIVE_INFINITY);
  let impossible: string | undefined;
  let position = 0;
  forms.forEach((form, i) => {
    const row = program.rows[i] as Row;
    const owner = `row "${row.name}"`;
    const shift = rowShift(form, exponents, ROW_RANGE);
    for (let k = 0; k < form.columns.length; k++) {
      const column = form.columns[k] as number;
      const value = shifted(form.integers[k] as bigint, shift + (exponents[column] as number));
      if (Math.abs(value) <= DROPPED) throw tooSmall(owner, program.columns[column] as Column);
      indices[position] = column;
      values[position++] = value;
    }
    starts[i + 1] = position;
    factors[i] = factorNumber(form.factor.multiply(powerOfTwo(shift)), owner);
    const [low, high] = primitiveBounds(row, form, integer);
    const blocked = form.columns.length === 0 && ((low?.sign() ?? 0) > 0 || (high?.sign() ?? 0) < 0);
    if (blocked || crossed(low, high)) impossible ??= `${owner} allows no value`;
    if (low !== null) lower[i] = boundNumber(low, shift, owner);
    if (high !== null) upper[i] = boundNumber(high, shift, owner);
  });
  return { starts, indices, values, factors, lower, upper, impossible };
}

/** The row's bounds in its primitive units; rounded inwards where the activity can only be an integer. */
function primitiveBounds(
  row: Row,
  form: PrimitiveForm,
  integer: readonly boolean[],
): [lower: Rational | null, upper: Rational | null] {
  const lower = row.lower?.multiply(form.factor) ?? null;
  const upper = row.upper?.multiply(form.factor) ?? null;
  return form.columns.every((column) => integer[column]) ? inwards(lower, upper) : [lower, upper];
}

function inwards(lower: Rational | null, upper: Rational | null): [lower: Rational | null, upper: Rational | null] {
  return [lower && Rational.of(lower.ceil()), upper && Rational.of(upper.floor())];
}

function scaledColumns(columns: readonly Column[], exponents: Int32Array, integer: readonly boolean[]) {
  const lower = new Float64Array(columns.length).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(columns.length).fill(Number.POSITIVE_INFINITY);
  let impossible: string | undefined;
  columns.forEach((column, j) => {
    const owner = `column "${column.name}"`;
    const [low, high] = integer[j] ? inwards(column.lower, column.upper) : [column.lower, column.upper];
    if (crossed(low, high)) impossible ??= `${owner} allows no value`;
    if (low !== null) lower[j] = boundNumber(low, -(exponents[j] as number), owner);
    if (high !== null) upper[j] = boundNumber(high, -(exponents[j] as number), owner);
  });
  return { lower, upper, impossible };
}

function crossed(lower: Rational | null, upper: Rational | null): boolean {
  return lower !== null && upper !== null && lower.compare(upper) > 0;
}

/** Costs of the minimisation, c' = g·c·κ, and g. */
function scaledObjective({ objective, columns }: Program, exponents: Int32Array) {
  const form = primitiveForm(objective.form);
  const shift = rowShift(form, exponents, COST_RANGE);
  const sign = objective.sense === "maximize" ? -1 : 1;
  const cost = new Float64Array(columns.length);
  for (let k = 0; k < form.columns.length; k++) {
    const column = form.columns[k] as number;
    cost[column] = sign * shifted(form.integers[k] as bigint, shift + (exponents[column] as number));
  }
  const factor = factorNumber(form.factor.multiply(powerOfTwo(shift)), `objective "${objective.name}"`);
  return { cost, factor: sign * factor };
}

function factorNumber(factor: Rational, owner: string): number {
  const double = factor.toNumber();
  if (double > 1e-290 && double < 1e290) return double;
  const found = "its coefficients are beyond the range of doubles; express its quantities in other units";
  throw new SolverError("unsupported", `${owner}: ${found}`);
}

function boundNumber(bound: Rational, shift: number, owner: string): number {
  const double = bound.multiply(powerOfTwo(shift)).toNumber();
  if (Math.abs(double) < INFINITE) return double;
  const found = `a bound of ${bound.toNumber().toExponential(3)} beside its coefficients counts as infinite for solvers`;
  const advice = "leave the bound out to mean none, or express the quantity in a larger unit";
  throw new SolverError("unsupported", `${owner}: ${found}; ${advice}`);
}

function tooSmall(owner: string, { name }: Column): SolverError {
  const found = `the coefficient of "${name}" is so small beside the row's others that solvers would drop it`;
  const advice = "express the row's quantities in closer units, or leave the term out";
  return new SolverError("unsupported", `${owner}: ${found}; ${advice}`);
}

/** A linear form as integers without a common divisor: integers[k] = factor · coefficient[k], factor > 0. */
interface PrimitiveForm {
  readonly columns: readonly number[];
  readonly integers: readonly bigint[];
  readonly factor: Rational;
}

function primitiveForm(form: LinearForm): PrimitiveForm {
  let divisor = 0n;
  for (const coefficient of form.coefficients) {
    divisor = greatestCommonDivisor(divisor, coefficient);
    if (divisor === 1n) break;
  }
  if (divisor <= 1n) {
    return { columns: form.columns, integers: form.coefficients, factor: Rational.of(form.denominator) };
  }
  return {
    columns: form.columns,
    integers: form.coefficients.map((coefficient) => coefficient / divisor),
    factor: Rational.of(form.denominator, divisor),
  };
}

/** Floor of the base-two logarithm of a non-zero integer's magnitude. */
function exponentOf(value: bigint): number {
  const double = Math.abs(Number(value));
  if (double <= Number.MAX_SAFE_INTEGER) return Math.floor(Math.log2(double));
  return bitLength(value < 0n ? -value : value) - 1;
}

/** value · 2^exponent as the nearest double. */
function shifted(value: bigint, exponent: number): number {
  const double = Number(value);
  if (Number.isSafeInteger(double) && Math.abs(exponent) < 900) return double * 2 ** exponent;
  return Rational.of(value).multiply(powerOfTwo(exponent)).toNumber();
}

function powerOfTwo(exponent: number): Rational {
  return exponent >= 0 ? Rational.of(1n << BigInt(exponent)) : Rational.of(1n, 1n << BigInt(-exponent));
}
