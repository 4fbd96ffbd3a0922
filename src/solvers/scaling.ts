import { bitLength, greatestCommonDivisor, Rational } from "../exact/rational.js";
import type { LinearForm, Program, Row } from "../program/program.js";
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

/** Magnitudes (base-two exponents) that rows and the objective are brought below: 2^10 keeps rows of small integers. */
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
 * Every row becomes primitive integers where its coefficients allow (denominator and common divisor removed), then is
 * multiplied by a power of two if its largest coefficient is above 2^10, so that a solver's absolute tolerances of
 * 1e-6 mean about one part in 1e9 of the row. Continuous columns whose entries are tiny everywhere (bytes beside
 * seconds) are scaled by a power of two. Bounds of integer columns and of rows of integers on integer columns are
 * rounded inwards, which changes no solution. Bounds and coefficients are rounded to the nearest double.
 *
 * Throws {@link SolverError} (`unsupported`) naming the row or column when a coefficient is so small beside the
 * others of its row that solvers would drop it, or a bound is beyond what they take for infinite.
 */
export function scaleProgram(program: Program, relaxation = false): Scaling {
  const integer = program.columns.map((column) => column.integer && !relaxation);
  const rows = program.rows.map((row) => primitive(row.form));
  const objective = primitive(program.objective.form);
  const columnExponents = thinColumnExponents(rows, integer);
  const infeasible: string[] = [];

  const nonZeros = rows.reduce((sum, row) => sum + row.columns.length, 0);
  const starts = new Int32Array(rows.length + 1);
  const indices = new Int32Array(nonZeros);
  const values = new Float64Array(nonZeros);
  const rowFactors = new Float64Array(rows.length);
  const rowLower = new Float64Array(rows.length).fill(Number.NEGATIVE_INFINITY);
  const rowUpper = new Float64Array(rows.length).fill(Number.POSITIVE_INFINITY);
  let position = 0;
  rows.forEach((form, i) => {
    const row = program.rows[i] as Row;
    const shift = rowShift(form, columnExponents, ROW_RANGE);
    starts[i] = position;
    for (let k = 0; k < form.columns.length; k++) {
      const column = form.columns[k] as number;
      const value = shifted(form.integers[k] as bigint, shift + (columnExponents[column] as number));
      if (Math.abs(value) <= DROPPED) throw tooSmall(program, row.name, column);
      indices[position] = column;
      values[position++] = value;
    }
    const factor = form.factor.multiply(powerOfTwo(shift));
    rowFactors[i] = factorNumber(factor, row.name);
    const [lower, upper] = rowBounds(row, form, integer);
    if (
      (lower !== null && upper !== null && lower.compare(upper) > 0) ||
      (form.columns.length === 0 && ((lower?.sign() ?? 0) > 0 || (upper?.sign() ?? 0) < 0))
    ) {
      infeasible.push(`row "${row.name}" allows no value`);
    }
    const scale = powerOfTwo(shift);
    if (lower !== null) rowLower[i] = boundNumber(lower.multiply(scale), `row "${row.name}"`);
    if (upper !== null) rowUpper[i] = boundNumber(upper.multiply(scale), `row "${row.name}"`);
  });
  starts[rows.length] = position;

  const columnLower = new Float64Array(program.columns.length).fill(Number.NEGATIVE_INFINITY);
  const columnUpper = new Float64Array(program.columns.length).fill(Number.POSITIVE_INFINITY);
  program.columns.forEach((column, j) => {
    let { lower, upper } = column;
    if (integer[j]) {
      lower = lower === null ? null : Rational.of(lower.ceil());
      upper = upper === null ? null : Rational.of(upper.floor());
    }
    if (lower !== null && upper !== null && lower.compare(upper) > 0) {
      infeasible.push(`column "${column.name}" allows no value`);
    }
    const scale = powerOfTwo(-(columnExponents[j] as number));
    if (lower !== null) columnLower[j] = boundNumber(lower.multiply(scale), `column "${column.name}"`);
    if (upper !== null) columnUpper[j] = boundNumber(upper.multiply(scale), `column "${column.name}"`);
  });

  const costShift = rowShift(objective, columnExponents, COST_RANGE);
  const cost = new Float64Array(program.columns.length);
  const sign = program.objective.sense === "maximize" ? -1 : 1;
  for (let k = 0; k < objective.columns.length; k++) {
    const column = objective.columns[k] as number;
    cost[column] = sign * shifted(objective.integers[k] as bigint, costShift + (columnExponents[column] as number));
  }
  const objectiveFactor = factorNumber(objective.factor.multiply(powerOfTwo(costShift)), program.objective.name);

  return {
    model: {
      columnCount: program.columns.length,
      rowCount: rows.length,
      cost,
      columnLower,
      columnUpper,
      rowLower,
      rowUpper,
      starts,
      indices,
      values,
      ...(integer.some(Boolean) && { integrality: Int32Array.from(integer, Number) }),
    },
    rowFactors,
    columnFactors: Float64Array.from(columnExponents, (exponent) => 2 ** exponent),
    objectiveFactor: sign * objectiveFactor,
    constant: program.objective.constant.toNumber(),
    ...(infeasible[0] !== undefined && { infeasible: infeasible[0] }),
  };
}

/** A form as integers without common divisor: integers[k] = factor · coefficient[k]. */
interface PrimitiveForm {
  readonly columns: readonly number[];
  readonly integers: readonly bigint[];
  readonly factor: Rational;
}

function primitive(form: LinearForm): PrimitiveForm {
  let divisor = 0n;
  for (const coefficient of form.coefficients) {
    divisor = greatestCommonDivisor(divisor, coefficient);
    if (divisor === 1n) break;
  }
  if (divisor <= 1n)
    return { columns: form.columns, integers: form.coefficients, factor: Rational.of(form.denominator) };
  return {
    columns: form.columns,
    integers: form.coefficients.map((coefficient) => coefficient / divisor),
    factor: Rational.of(form.denominator, divisor),
  };
}

/**
 * The power of two that brings a row's largest entry to 2^9…2^10, or 0 where it already lies between 1 and 2^10; more
 * where the range of the entries asks for it.
 */
function rowShift(
  form: PrimitiveForm,
  columnExponents: Int32Array,
  range: { readonly smallest: number; readonly largest: number },
): number {
  let largest = Number.NEGATIVE_INFINITY;
  let smallest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < form.columns.length; k++) {
    const exponent = exponentOf(form.integers[k] as bigint) + (columnExponents[form.columns[k] as number] as number);
    largest = Math.max(largest, exponent);
    smallest = Math.min(smallest, exponent);
  }
  if (form.columns.length === 0) return 0;
  const shift = largest >= 0 && largest <= TARGET ? 0 : TARGET - largest;
  return Math.max(shift, Math.min(range.smallest - smallest, range.largest - largest));
}

/** Exponents that bring the entries of thin continuous columns, on (geometric) average, to the size of their rows. */
function thinColumnExponents(rows: readonly PrimitiveForm[], integer: readonly boolean[]): Int32Array {
  const smallest = new Float64Array(integer.length).fill(Number.POSITIVE_INFINITY);
  const largest = new Float64Array(integer.length).fill(Number.NEGATIVE_INFINITY);
  for (const row of rows) {
    const exponents = row.integers.map(exponentOf);
    const rowLargest = exponents.reduce((most, exponent) => Math.max(most, exponent), Number.NEGATIVE_INFINITY);
    exponents.forEach((exponent, k) => {
      const column = row.columns[k] as number;
      smallest[column] = Math.min(smallest[column] as number, exponent - rowLargest);
      largest[column] = Math.max(largest[column] as number, exponent - rowLargest);
    });
  }
  return Int32Array.from(integer, (isInteger, j) => {
    if (isInteger || (smallest[j] as number) >= THIN_COLUMN) return 0;
    return Math.min(MAX_COLUMN_EXPONENT, -Math.round(((smallest[j] as number) + (largest[j] as number)) / 2));
  });
}

/** The row's bounds in its primitive units; rounded inwards where the activity can only be an integer. */
function rowBounds(row: Row, form: PrimitiveForm, integer: readonly boolean[]): [Rational | null, Rational | null] {
  const lower = row.lower === null ? null : row.lower.multiply(form.factor);
  const upper = row.upper === null ? null : row.upper.multiply(form.factor);
  if (!form.columns.every((column) => integer[column])) return [lower, upper];
  return [lower === null ? null : Rational.of(lower.ceil()), upper === null ? null : Rational.of(upper.floor())];
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

function factorNumber(factor: Rational, row: string): number {
  const double = factor.toNumber();
  if (double > 1e-290 && double < 1e290) return double;
  throw new SolverError(
    "unsupported",
    `row "${row}": its coefficients are beyond the range of doubles; express its quantities in other units`,
  );
}

function boundNumber(bound: Rational, owner: string): number {
  const double = bound.toNumber();
  if (Math.abs(double) < INFINITE) return double;
  throw new SolverError(
    "unsupported",
    `${owner}: a bound of ${double.toExponential(3)} beside its coefficients counts as infinite for solvers; ` +
      "leave the bound out to mean none, or express the quantity in a larger unit",
  );
}

function tooSmall(program: Program, row: string, column: number): SolverError {
  return new SolverError(
    "unsupported",
    `row "${row}": the coefficient of "${program.columns[column]?.name}" is so small beside the row's others that ` +
      "solvers would drop it; express the row's quantities in closer units, or leave the term out",
  );
}
