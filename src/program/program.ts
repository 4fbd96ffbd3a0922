import { greatestCommonDivisor, leastCommonMultiple, Rational } from "../exact/rational.js";

/**
 * A linear form Σ_k (coefficients[k] / denominator) · x[columns[k]]: integers over one positive denominator, so that
 * evaluating it at an integer point costs no rational arithmetic. Columns rise strictly; no coefficient is zero; the
 * coefficients and the denominator have no common factor.
 */
export interface LinearForm {
  readonly columns: readonly number[];
  readonly coefficients: readonly bigint[];
  readonly denominator: bigint;
}

/** A variable. A bound of `null` is no bound on that side. */
export interface Column {
  readonly name: string;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
  readonly integer: boolean;
}

/** A constraint lower ≤ form ≤ upper; `null` is no bound on that side, equal bounds are an equation. */
export interface Row {
  readonly name: string;
  readonly form: LinearForm;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

export interface Objective {
  readonly name: string;
  readonly sense: "minimize" | "maximize";
  readonly form: LinearForm;
  readonly constant: Rational;
}

/** A mixed-integer linear program as frozen plain data, every number an exact rational. */
export interface Program {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly objective: Objective;
}

/** Thrown when the parts handed over do not make a program: a duplicate name, an unknown column, crossed bounds… */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/** What a linear form is written from: pairs of column index and coefficient; a column may repeat and is then summed. */
export type Terms = Iterable<readonly [column: number, coefficient: Rational]>;

/** Sums the terms of a linear form and brings it to the canonical shape of {@link LinearForm}. */
export function linearForm(terms: Terms): LinearForm {
  const sums = new Map<number, Rational>();
  for (const [column, coefficient] of terms) {
    const sum = sums.get(column);
    sums.set(column, sum === undefined ? coefficient : sum.add(coefficient));
  }
  const columns = [...sums.keys()].filter((column) => sums.get(column)?.sign() !== 0).sort((a, b) => a - b);
  let denominator = 1n;
  for (const column of columns) {
    denominator = leastCommonMultiple(denominator, (sums.get(column) as Rational).denominator);
  }
  const coefficients = columns.map((column) => {
    const value = sums.get(column) as Rational;
    return value.numerator * (denominator / value.denominator);
  });
  return { columns, coefficients, denominator };
}

/**
 * A linear form from integer coefficients over a common denominator, for callers that build long rows; the same
 * canonical shape as {@link linearForm} without a rational per term. `columns` must rise strictly.
 */
export function integerForm(
  columns: readonly number[],
  coefficients: readonly bigint[],
  denominator: bigint,
): LinearForm {
  let divisor = denominator;
  const keptColumns: number[] = [];
  const kept: bigint[] = [];
  for (let k = 0; k < columns.length; k++) {
    const coefficient = coefficients[k] as bigint;
    if (coefficient === 0n) continue;
    keptColumns.push(columns[k] as number);
    kept.push(coefficient);
    if (divisor !== 1n) divisor = greatestCommonDivisor(divisor, coefficient);
  }
  if (kept.length === 0) return { columns: [], coefficients: [], denominator: 1n };
  return {
    columns: keptColumns,
    coefficients: divisor === 1n ? kept : kept.map((coefficient) => coefficient / divisor),
    denominator: denominator / divisor,
  };
}

/** The coefficient of the k-th term of a form as a rational. */
export function coefficientAt(form: LinearForm, k: number): Rational {
  return Rational.of(form.coefficients[k] as bigint, form.denominator);
}

/**
 * Checks the parts of a program and freezes them.
 *
 * Throws {@link ProgramError} for a duplicate or empty name (among the columns, or among the rows and the objective),
 * a term on a column that does not exist, terms out of order, a zero coefficient or a denominator below one. Crossed
 * bounds (lower above upper) are allowed: such a program is well formed and infeasible. An objective without a name is
 * called `obj`, or the first of `obj_1`, `obj_2`, … that no row is called.
 */
export function makeProgram(parts: {
  name?: string;
  columns: readonly Column[];
  rows: readonly Row[];
  objective?: Partial<Objective>;
}): Program {
  requireDistinctNames("column", parts.columns);
  const objectiveName = parts.objective?.name ?? freeName("obj", new Set(parts.rows.map((row) => row.name)));
  requireDistinctNames("row", [...parts.rows, { name: objectiveName }]);
  const objective: Objective = {
    name: objectiveName,
    sense: parts.objective?.sense ?? "minimize",
    form: parts.objective?.form ?? linearForm([]),
    constant: parts.objective?.constant ?? Rational.zero,
  };
  for (const row of parts.rows) requireCanonical(row.form, parts.columns.length, row.name);
  requireCanonical(objective.form, parts.columns.length, objective.name);
  for (const column of parts.columns) Object.freeze(column);
  for (const row of parts.rows) freezeForm(Object.freeze(row).form);
  freezeForm(objective.form);
  return Object.freeze({
    name: parts.name ?? "",
    columns: Object.freeze(parts.columns.slice()),
    rows: Object.freeze(parts.rows.slice()),
    objective: Object.freeze(objective),
  });
}

function freezeForm(form: LinearForm): void {
  Object.freeze(form);
  Object.freeze(form.columns);
  Object.freeze(form.coefficients);
}

/** The program with the other sense and the negated costs; its constant stays. */
export function negated(program: Program): Program {
  const { form, sense } = program.objective;
  const coefficients = form.coefficients.map((coefficient) => -coefficient);
  return makeProgram({
    ...program,
    objective: {
      ...program.objective,
      sense: sense === "minimize" ? "maximize" : "minimize",
      form: { ...form, coefficients },
    },
  });
}

/** `wanted`, or the first of `wanted_1`, `wanted_2`, … that is not taken. */
export function freeName(wanted: string, taken: Pick<ReadonlySet<string>, "has">): string {
  let name = wanted;
  for (let suffix = 1; taken.has(name); suffix++) name = `${wanted}_${suffix}`;
  return name;
}

/** How many coefficients a program has. */
export function entriesOf({ rows }: Program): number {
  return rows.reduce((sum, { form }) => sum + form.columns.length, 0);
}

function requireDistinctNames(kind: string, named: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of named) {
    if (name === "") throw new ProgramError(`a ${kind} needs a name`);
    if (seen.has(name)) {
      const two = kind === "row" ? "rows (or a row and the objective)" : `${kind}s`;
      throw new ProgramError(`two ${two} are called "${name}"; names must differ`);
    }
    seen.add(name);
  }
}

function requireCanonical(form: LinearForm, columnCount: number, owner: string): void {
  const fail = (what: string) => new ProgramError(`row "${owner}": ${what}`);
  const { columns, coefficients, denominator } = form;
  if (denominator < 1n) throw fail("a denominator must be positive");
  if (columns.length !== coefficients.length) {
    throw fail(`${columns.length} columns but ${coefficients.length} coefficients`);
  }
  let previous = -1;
  for (let k = 0; k < columns.length; k++) {
    const column = columns[k] as number;
    if (!(column > previous && column < columnCount)) throw fail(`column ${column} is out of order or does not exist`);
    if (coefficients[k] === 0n) throw fail(`the coefficient of column ${column} is zero`);
    previous = column;
  }
}
