import { Rational } from "../exact/rational.js";
import { type Column, coefficientAt, type LinearForm, type Program, type Row } from "./program.js";

/**
 * The first way in which another reader's program is not the same, in words; `null` where it is the same. Columns are
 * compared by name and rows by name or place; rows without sides do not count, nor do differences below the relative
 * tolerance (by which solvers round what they write), nor whether a column that is fixed at an integer is one.
 */
export function firstDifference(ours: Program, theirs: Program, tolerance: number): string | null {
  const near: Near = (here, there, size = 0) => {
    if (here.equals(there)) return true;
    const [a, b] = [here.toNumber(), there.toNumber()];
    return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b), size);
  };
  return (
    columnDifference(ours, theirs, near) ?? objectiveDifference(ours, theirs, near) ?? rowDifference(ours, theirs, near)
  );
}

/** Whether two numbers are the same to the tolerance, relative to the largest of them and a size. */
type Near = (here: Rational, there: Rational, size?: number) => boolean;

function columnDifference(ours: Program, theirs: Program, near: Near): string | null {
  const byName = new Map(theirs.columns.map((column) => [column.name, column]));
  const forms = [ours.objective, ...ours.rows].map(({ form }) => form);
  const used = new Set(forms.flatMap(({ columns }) => columns.map((j) => ours.columns[j]?.name)));
  for (const column of ours.columns.map(inIntegers)) {
    const found = byName.get(column.name);
    const other = found && inIntegers(found);
    // Solvers do not write a column that nothing has.
    if (other === undefined && !used.has(column.name)) continue;
    if (other === undefined) return `column "${column.name}" is not there`;
    const [here, there] = [domainText(column), domainText(other)];
    if (column.integer !== other.integer || !sameSides(column, other, near)) {
      return `column "${column.name}" is ${there}, here ${here}`;
    }
  }
  const known = new Set(ours.columns.map(({ name }) => name));
  const more = theirs.columns.find(({ name }) => !known.has(name));
  return more === undefined ? null : `column "${more.name}" is there, here not`;
}

function objectiveDifference(ours: Program, theirs: Program, near: Near): string | null {
  const [here, there] = [ours.objective, theirs.objective];
  const [mine, other] = [termsOf(ours, here.form), termsOf(theirs, there.form)];
  // Without terms there is nothing to maximise.
  if (here.sense !== there.sense && (mine.size > 0 || other.size > 0)) {
    return `the objective is ${senseText(there.sense)}, here ${senseText(here.sense)}`;
  }
  const column = firstTerm(mine, other, near);
  if (column !== null) {
    return `the objective has ${numberText(other.get(column))} of "${column}", here ${numberText(mine.get(column))}`;
  }
  if (near(here.constant, there.constant)) return null;
  return `the constant of the objective is ${numberText(there.constant)}, here ${numberText(here.constant)}`;
}

function rowDifference(ours: Program, theirs: Program, near: Near): string | null {
  const bounded = ({ rows }: Program) => rows.filter(({ lower, upper }) => lower !== null || upper !== null);
  const [mine, others] = [bounded(ours), bounded(theirs)];
  const byName = new Map(others.map((row) => [row.name, row]));
  const areNamed = mine.every(({ name }) => byName.has(name));
  for (const [index, row] of mine.entries()) {
    const other = areNamed ? byName.get(row.name) : others[index];
    if (other === undefined) return `row "${row.name}" is not there`;
    if (!sameSides(row, other, near)) return `row "${row.name}" is in ${rangeText(other)}, here in ${rangeText(row)}`;
    const [here, there] = [termsOf(ours, row.form), termsOf(theirs, other.form)];
    const column = firstTerm(here, there, near);
    if (column !== null) {
      return `row "${row.name}" has ${numberText(there.get(column))} of "${column}", here ${numberText(here.get(column))}`;
    }
  }
  const more = others[mine.length];
  return more === undefined ? null : `row "${more.name}" is there, here not`;
}

type Terms = ReadonlyMap<string, Rational>;

function termsOf({ columns }: Program, form: LinearForm): Terms {
  return new Map(form.columns.map((j, k) => [(columns[j] as Column).name, coefficientAt(form, k)]));
}

/** The first column whose coefficients are not near each other. */
function firstTerm(mine: Terms, others: Terms, near: Near): string | null {
  const differs = (name: string) => !near(mine.get(name) ?? Rational.zero, others.get(name) ?? Rational.zero);
  return [...mine.keys(), ...others.keys()].find(differs) ?? null;
}

type Sides = Pick<Row, "lower" | "upper">;

function sameSides(here: Sides, there: Sides, near: Near): boolean {
  const sizes = [here.lower, here.upper].map((side) => Math.abs(side?.toNumber() ?? 0));
  const same = (one: Rational | null, other: Rational | null) =>
    one === null || other === null ? one === other : near(one, other, Math.max(...sizes));
  return same(here.lower, there.lower) && same(here.upper, there.upper);
}

/** The bounds of an integer column as integers; one that is fixed at an integer need not be called one. */
function inIntegers(column: Column): Column {
  const { integer } = column;
  const lower = column.lower !== null && integer ? Rational.of(column.lower.ceil()) : column.lower;
  const upper = column.upper !== null && integer ? Rational.of(column.upper.floor()) : column.upper;
  const isFixed = lower !== null && upper?.equals(lower) === true && lower.isInteger();
  return { ...column, lower, upper, integer: integer && !isFixed };
}

function senseText(sense: Program["objective"]["sense"]): string {
  return sense === "minimize" ? "minimised" : "maximised";
}

function domainText(column: Column): string {
  return `${column.integer ? "integer" : "continuous"} in ${rangeText(column)}`;
}

function rangeText({ lower, upper }: Sides): string {
  const begin = lower === null ? "(-infinity" : `[${numberText(lower)}`;
  return `${begin}, ${upper === null ? "infinity)" : `${numberText(upper)}]`}`;
}

function numberText(value: Rational | undefined): string {
  return String(value?.toNumber() ?? 0);
}
