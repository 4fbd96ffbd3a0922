import { Rational } from "../../exact/rational.js";
import { integerForm, type LinearForm, type Program } from "../../program/program.js";
import { integerColumns } from "./implied-integers.js";
import { formLattice, type Group, groupIndex, type Lattice, roundDown, roundUp } from "./lattice.js";

/**
 * A program as a minimisation over a box, restricted to the columns that the box leaves open; the others are
 * substituted. Row indices stay those of the program, so multipliers keep their meaning; column indices are local.
 */
export interface View {
  /** The program's column index of each open column. */
  readonly columns: readonly number[];
  /** Declared integer, or implied to be (see implied-integers.ts). */
  readonly integer: readonly boolean[];
  readonly objective: LinearForm;
  /** What the substituted columns and the objective's constant add to the objective. */
  readonly constant: Rational;
  /** By the program's index. Rows that no open column is in are left out once they are satisfied. */
  readonly rows: ReadonlyMap<number, ViewRow>;
  /**
   * Cuts, by indices behind those of the program's rows: inequalities that all integer points of the box and the rows
   * keep. Multipliers may price them; no other step reads them, so that a cut that nobody prices can be left out.
   */
  readonly cuts: ReadonlyMap<number, Cut>;
  /**
   * Rows were replaced by weaker ones that follow from them. Cuts, and groups, then say of the points that matter what `rows` may not:
   * a point that keeps all rows may break a cut.
   */
  readonly isRelaxed: boolean;
  /** Disjoint groups of integer columns whose sum is fixed: kept as constraints in every bound (see bound.ts). */
  readonly groups: readonly Group[];
  /** The open columns in no group. */
  readonly single: readonly number[];
  /** Which group each column is in, −1 for none. */
  readonly groupOf: Int32Array;
  /** A row's sides have crossed once they were rounded to what its integers can reach: nothing is feasible. */
  readonly crossed: boolean;
}

export interface ViewRow {
  readonly form: LinearForm;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** An inequality form ≥ lower. */
export interface Cut extends ViewRow {
  readonly lower: Rational;
  readonly upper: null;
}

/** Bounds of a view's columns, by local index; changed in place while a certificate is walked. */
export interface Box {
  readonly lower: (Rational | null)[];
  readonly upper: (Rational | null)[];
}

/** The whole program as a view, with its box. Bounds of integer columns are rounded inwards. */
export function viewOf(program: Program): { view: View; box: Box } {
  const box: Box = { lower: [], upper: [] };
  const integer = integerColumns(program);
  program.columns.forEach(({ lower, upper }, j) => {
    const whole = integer[j] === true;
    box.lower.push(lower !== null && whole && !lower.isInteger() ? Rational.of(lower.ceil()) : lower);
    box.upper.push(upper !== null && whole && !upper.isInteger() ? Rational.of(upper.floor()) : upper);
  });
  const { objective } = program;
  const maximise = objective.sense === "maximize";
  const { groups, single } = findGroups(program);
  const groupOf = groupIndex(groups, program.columns.length);
  const rows = new Map(program.rows.map((row, r) => [r, roundSides(row, integer, groups, groupOf)]));
  const view: View = {
    columns: program.columns.map((_, index) => index),
    integer,
    objective: maximise
      ? { ...objective.form, coefficients: objective.form.coefficients.map((coefficient) => -coefficient) }
      : objective.form,
    constant: maximise ? objective.constant.negate() : objective.constant,
    rows,
    cuts: new Map(),
    isRelaxed: false,
    groups,
    single,
    groupOf,
    crossed: haveCrossed(rows),
  };
  return { view, box };
}

/** The view and box with every column substituted whose bounds meet; the same view where there is none. */
export function substituteFixed(view: View, box: Box): { view: View; box: Box } {
  const local = new Int32Array(view.columns.length).fill(-1);
  const open: number[] = [];
  for (let j = 0; j < view.columns.length; j++) {
    const lower = box.lower[j] as Rational | null;
    const upper = box.upper[j] as Rational | null;
    if (lower !== null && upper !== null && lower.equals(upper)) continue;
    local[j] = open.length;
    open.push(j);
  }
  if (open.length === local.length) {
    const same = view.crossed || !haveCrossed(view.rows) ? view : { ...view, crossed: true };
    return { view: same, box: { lower: box.lower.slice(), upper: box.upper.slice() } };
  }
  /** By column: 1 where it is fixed, or its group has lost a member; what is in no such column goes on as it is. */
  const isTouched = new Uint8Array(local.length);
  local.forEach((to, j) => {
    if (to !== -1) return;
    isTouched[j] = 1;
    for (const member of view.groups[view.groupOf[j] as number]?.members ?? []) isTouched[member] = 1;
  });
  const reduce = (form: LinearForm) => restrict(form, local, isTouched, box.lower);
  const objective = reduce(view.objective);
  const groups: Group[] = [];
  for (const { members, total } of view.groups) {
    let left = total;
    const remaining: number[] = [];
    for (const member of members) {
      if (local[member] === -1) left -= (box.lower[member] as Rational).numerator;
      else remaining.push(local[member] as number);
    }
    // A group that is used up stays, so that a total other than zero is still seen as infeasible.
    if (remaining.length > 0 || left !== 0n) groups.push({ members: remaining, total: left });
  }
  const groupOf = groupIndex(groups, open.length);
  const integer = open.map((j) => view.integer[j] as boolean);
  const rows = new Map<number, ViewRow>();
  for (const [r, row] of view.rows) {
    const { form, substituted } = reduce(row.form);
    if (substituted === null) {
      rows.set(r, { form, lower: row.lower, upper: row.upper });
      continue;
    }
    const lower = row.lower?.subtract(substituted) ?? null;
    const upper = row.upper?.subtract(substituted) ?? null;
    const satisfied = (lower === null || lower.sign() <= 0) && (upper === null || upper.sign() >= 0);
    if (form.columns.length > 0 || !satisfied) {
      rows.set(r, roundSides({ form, lower, upper }, integer, groups, groupOf));
    }
  }
  const cuts = new Map<number, Cut>();
  for (const [r, { form: whole, lower: side }] of view.cuts) {
    const { form, substituted } = reduce(whole);
    const lower = substituted === null ? side : side.subtract(substituted);
    if (form.columns.length > 0 || lower.sign() > 0) cuts.set(r, { form, lower, upper: null });
  }
  return {
    view: {
      columns: open.map((j) => view.columns[j] as number),
      integer,
      objective: objective.form,
      constant: objective.substituted === null ? view.constant : view.constant.add(objective.substituted),
      rows,
      cuts,
      isRelaxed: view.isRelaxed,
      groups,
      single: view.single.filter((j) => local[j] !== -1).map((j) => local[j] as number),
      groupOf,
      crossed: view.crossed || haveCrossed(rows),
    },
    box: {
      lower: open.map((j) => box.lower[j] as Rational | null),
      upper: open.map((j) => box.upper[j] as Rational | null),
    },
  };
}

/** What the other members of a group cannot take, a member must; `false` where it cannot. */
export function fillGroup({ members, total }: Group, box: Box, record: (column: number) => void): boolean {
  const most = (column: number) => (box.upper[column] as Rational).numerator;
  let uppers = 0n;
  for (const column of members) uppers += most(column);
  for (const column of members) {
    const needed = total - (uppers - most(column));
    if (needed > most(column)) return false;
    if (needed <= (box.lower[column] as Rational).numerator) continue;
    record(column);
    box.lower[column] = Rational.of(needed);
  }
  return true;
}

/** The view's index of each of the program's columns, −1 where it is substituted. */
export function localIndex({ columns }: View, programColumns: number): Int32Array {
  const local = new Int32Array(programColumns).fill(-1);
  columns.forEach((column, j) => {
    local[column] = j;
  });
  return local;
}

/** The lattice of a view's objective, `null` when a continuous column has a cost. */
export function objectiveLattice({ objective, constant, integer, groups, groupOf }: View): Lattice | null {
  const lattice = formLattice(objective, integer, groups, groupOf);
  return lattice === null ? null : { offset: lattice.offset.add(constant), step: lattice.step };
}

/** The row with its sides moved inwards to values that its integer columns can reach (a Chvátal–Gomory rounding). */
export function roundSides(
  { form, lower, upper }: ViewRow,
  integer: readonly boolean[],
  groups: readonly Group[],
  groupOf: Int32Array,
): ViewRow {
  const lattice = formLattice(form, integer, groups, groupOf);
  if (lattice === null) return { form, lower, upper };
  const low = lower === null ? null : roundUp(lower, lattice);
  const high = upper === null ? null : roundDown(upper, lattice);
  // A row of one value that breaks a side: crossed sides show that nothing is feasible.
  if (lower !== null && low === null) return { form, lower, upper: lattice.offset };
  if (upper !== null && high === null) return { form, lower: lattice.offset, upper };
  return { form, lower: low, upper: high };
}

function haveCrossed(rows: ReadonlyMap<number, ViewRow>): boolean {
  for (const { lower, upper } of rows.values()) {
    if (lower !== null && upper !== null && lower.compare(upper) > 0) return true;
  }
  return false;
}

/** Rows that say "these integers add up to a fixed integer", taken greedily as long as they share no column. */
function findGroups(program: Program): { groups: Group[]; single: number[] } {
  const taken = new Uint8Array(program.columns.length);
  const groups: Group[] = [];
  for (const { form, lower, upper } of program.rows) {
    if (lower === null || upper === null || !lower.equals(upper) || !lower.isInteger()) continue;
    if (form.columns.length === 0 || form.denominator !== 1n) continue;
    if (form.coefficients.some((coefficient) => coefficient !== 1n)) continue;
    if (form.columns.some((j) => taken[j] === 1 || !isBoundedInteger(program, j))) continue;
    for (const j of form.columns) taken[j] = 1;
    groups.push({ members: form.columns, total: lower.numerator });
  }
  const single: number[] = [];
  for (let j = 0; j < taken.length; j++) if (taken[j] === 0) single.push(j);
  return { groups, single };
}

function isBoundedInteger(program: Program, j: number): boolean {
  const column = program.columns[j];
  return column?.integer === true && column.lower !== null && column.upper !== null;
}

/** A form over the columns that are left, and what the others add to it; `null`: none of its columns is touched. */
function restrict(
  form: LinearForm,
  local: Int32Array,
  isTouched: Uint8Array,
  fixedAt: readonly (Rational | null)[],
): { form: LinearForm; substituted: Rational | null } {
  let isWhole = form.columns.length > 0;
  for (let k = 0; k < form.columns.length && isWhole; k++) isWhole = isTouched[form.columns[k] as number] === 0;
  if (isWhole) {
    const { coefficients, denominator } = form;
    return {
      form: { columns: form.columns.map((j) => local[j] as number), coefficients, denominator },
      substituted: null,
    };
  }
  const columns: number[] = [];
  const coefficients: bigint[] = [];
  let integers = 0n;
  let fractions = Rational.zero;
  for (let k = 0; k < form.columns.length; k++) {
    const j = form.columns[k] as number;
    const coefficient = form.coefficients[k] as bigint;
    if (local[j] !== -1) {
      columns.push(local[j] as number);
      coefficients.push(coefficient);
      continue;
    }
    const value = fixedAt[j] as Rational;
    if (value.denominator === 1n) integers += coefficient * value.numerator;
    else fractions = fractions.add(Rational.of(coefficient * value.numerator, value.denominator));
  }
  const substituted = fractions.add(Rational.of(integers)).divide(Rational.of(form.denominator));
  // Integers stay integers without a look for what they have in common.
  const rest =
    form.denominator === 1n
      ? { columns, coefficients, denominator: 1n }
      : integerForm(columns, coefficients, form.denominator);
  return { form: rest, substituted };
}
