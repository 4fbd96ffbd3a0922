import { InputError, type Place } from "../errors/input-error.js";
import { Rational } from "../exact/rational.js";
import { outwardBound } from "./decimal.js";
import { type Column, linearForm, makeProgram, type Objective, type Program, ProgramError } from "./program.js";

/** A row as a file has it: terms may repeat a column and may be zero. */
export interface DraftRow {
  readonly name: string;
  readonly terms: readonly (readonly [column: number, coefficient: Rational])[];
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** What a reader found, before the directives of its comments are applied. */
export interface Draft {
  readonly file: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly DraftRow[];
  readonly objective: Omit<DraftRow, "lower" | "upper"> & { sense: Objective["sense"]; constant: Rational };
}

/**
 * What a comment of ours adds to a file whose format cannot say it. Other readers skip it as a comment and read a
 * program with the same solutions (`scale`, `join`, `rename`, `name`; `doubles`, if they compute in them) or a relaxation of it
 * (`bound`).
 */
export type Directive = { readonly place: Place } & (
  | { readonly kind: "scale"; readonly row: string; readonly factor: Rational }
  | { readonly kind: "bound"; readonly side: "lower" | "upper"; readonly column: string; readonly value: Rational }
  | { readonly kind: "join"; readonly row: string; readonly upperRow: string }
  | { readonly kind: "rename"; readonly of: "column" | "row"; readonly written: string; readonly name: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "doubles" }
);

/**
 * Applies the directives to a draft and makes the program. Throws `InputError` at a directive that names a row or
 * column the file does not have, or that no longer agrees with what is written (the file was edited by hand).
 */
export function finishDraft(written: Draft, directives: readonly Directive[]): Program {
  const draft = directives.some(({ kind }) => kind === "doubles") ? inDoubles(written) : written;
  const fail = ({ place }: Directive, message: string) => new InputError(`expected ${message}`, draft.file, place);
  let name = draft.name;
  const columns = draft.columns.slice();
  const columnIndex = new Map(directives.length === 0 ? [] : columns.map((column, index) => [column.name, index]));
  const rows = new Map(draft.rows.map((row) => [row.name, row]));
  let objectiveFactor = Rational.one;

  for (const directive of directives) {
    if (directive.kind === "name") name = directive.name;
    if (directive.kind === "rename") {
      const { of, written } = directive;
      const isThere = of === "row" ? rows.has(written) || draft.objective.name === written : columnIndex.has(written);
      if (!isThere) throw fail(directive, `the name of a ${of}, found "${written}"; remove the comment`);
    }
    if (directive.kind === "join") {
      const { row: lowerName, upperRow: upperName } = directive;
      const lower = rows.get(lowerName);
      const upper = rows.get(upperName);
      const areSides = lower && upper && lower !== upper && lower.upper === null && upper.lower === null;
      if (!areSides || !sameTerms(lower, upper)) {
        const rows = `rows "${lowerName}" (lower bound only) and "${upperName}" (upper bound only)`;
        const found = "found others; remove the comment to keep them apart";
        throw fail(directive, `${rows} with the same terms to join, ${found}`);
      }
      rows.set(lowerName, { ...lower, upper: upper.upper });
      rows.delete(upperName);
    }
    if (directive.kind === "bound") {
      const { side, column: columnName, value } = directive;
      const index = columnIndex.get(columnName) ?? -1;
      const column = columns[index];
      if (!column) throw fail(directive, `the name of a column, found "${columnName}"; remove the comment`);
      const written = column[side];
      const expected = outwardBound(value, side);
      if (written === null ? expected !== null : expected === null || !written.equals(expected)) {
        const wanted = `the ${side} bound of "${columnName}" to be ${value} rounded outwards`;
        const found = `found ${written ?? "no bound"}; remove the comment if the bound was meant to change`;
        throw fail(directive, `${wanted}, ${found}`);
      }
      columns[index] = { ...column, [side]: value };
    }
  }
  // After the joins, so that both sides of a joined row are scaled.
  for (const directive of directives) {
    if (directive.kind !== "scale") continue;
    const row = rows.get(directive.row);
    if (row) rows.set(directive.row, scaled(row, directive.factor));
    else if (directive.row === draft.objective.name) objectiveFactor = objectiveFactor.multiply(directive.factor);
    else throw fail(directive, `the name of a row or of the objective, found "${directive.row}"; remove the comment`);
  }
  const columnName = renamer(directives, "column");
  const rowName = renamer(directives, "row");
  const makeNamed = (parts: Parameters<typeof makeProgram>[0]) => {
    try {
      return makeProgram(parts);
    } catch (error) {
      const renaming = directives.find(({ kind }) => kind === "rename");
      if (!(error instanceof ProgramError) || renaming === undefined) throw error;
      throw fail(renaming, `names that differ: ${error.message}`);
    }
  };
  return makeNamed({
    name,
    columns: columns.map((column) => ({ ...column, name: columnName(column.name) })),
    rows: [...rows.values()].map(({ name, terms, lower, upper }) => {
      return { name: rowName(name), form: linearForm(terms), lower, upper };
    }),
    objective: {
      name: rowName(draft.objective.name),
      sense: draft.objective.sense,
      form: linearForm(scaledTerms(draft.objective.terms, objectiveFactor)),
      constant: draft.objective.constant.multiply(objectiveFactor),
    },
  });
}

/** The names that directives give back, of columns or of rows. */
function renamer(directives: readonly Directive[], of: "column" | "row"): (written: string) => string {
  const names = new Map(
    directives.flatMap((directive) =>
      directive.kind === "rename" && directive.of === of ? [[directive.written, directive.name] as const] : [],
    ),
  );
  return (written) => names.get(written) ?? written;
}

/** The double nearest to each number. */
function inDoubles(draft: Draft): Draft {
  const double = (value: Rational) => Rational.fromNumber(value.toNumber());
  const side = (value: Rational | null) => (value === null ? null : double(value));
  const terms = (row: Pick<DraftRow, "terms">): DraftRow["terms"] =>
    row.terms.map(([column, coefficient]) => [column, double(coefficient)]);
  const { columns, rows, objective } = draft;
  return {
    ...draft,
    columns: columns.map((column) => ({ ...column, lower: side(column.lower), upper: side(column.upper) })),
    rows: rows.map((row) => ({ ...row, terms: terms(row), lower: side(row.lower), upper: side(row.upper) })),
    objective: { ...objective, terms: terms(objective), constant: double(objective.constant) },
  };
}

function scaled(row: DraftRow, factor: Rational): DraftRow {
  return {
    name: row.name,
    terms: scaledTerms(row.terms, factor),
    lower: row.lower?.multiply(factor) ?? null,
    upper: row.upper?.multiply(factor) ?? null,
  };
}

function scaledTerms(terms: DraftRow["terms"], factor: Rational): DraftRow["terms"] {
  if (factor.equals(Rational.one)) return terms;
  return terms.map(([column, coefficient]) => [column, coefficient.multiply(factor)]);
}

function sameTerms(a: DraftRow, b: DraftRow): boolean {
  const left = linearForm(a.terms);
  const right = linearForm(b.terms);
  return (
    left.denominator === right.denominator &&
    left.columns.length === right.columns.length &&
    left.columns.every((column, k) => column === right.columns[k] && left.coefficients[k] === right.coefficients[k])
  );
}
