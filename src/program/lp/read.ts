import { Rational } from "../../exact/rational.js";
import { type DraftRow, finishDraft } from "../draft.js";
import { type Column, freeName, type Objective, type Program } from "../program.js";
import { noteCosts } from "../reading/notes.js";
import type { ReadingOptions, ReadModel } from "../reading/read-model.js";
import { type LpColumn, readBoundStatement } from "./bounds.js";
import { type LabelledRow, readConstraint } from "./constraint.js";
import { Cursor } from "./cursor.js";
import { type ColumnOf, type Expression, readExpression } from "./expression.js";
import { isInfinityWord, looksLikeKeyword } from "./names.js";
import {
  noteBinaryBounds,
  noteHeader,
  noteName,
  noteNegativeUpper,
  noteObjective,
  noteSenseWord,
  noteWithoutTerms,
} from "./notes.js";
import { type Section, type Token, tokenize } from "./tokens.js";

/**
 * Reads a CPLEX-LP file. Every number is the exact decimal that is written: `0.1` is one tenth. Columns stand in the
 * order of their first appearance; a column that appears in Bounds, Generals or Binaries alone has no terms.
 *
 * Conventions, where programs differ or the format leaves room:
 * - `3x` is 3 · x, and `2e3 x` and `2e3x` are 2000 · x: an exponent is read wherever digits follow the `e`. A name is
 *   never a coefficient's exponent once a blank stands before it: `2 e3` is 2 · e3.
 * - Constants and variables may stand on both sides of a relation. A right side ends with its line; where it has
 *   variables and the next line begins with a sign, neither reading is safe and the file is refused. After a constant
 *   left side (`3 <= x + y`) the expression goes on over lines until a relation, a label or a header.
 * - Constraints without a name are called R1, R2, … by their place; where that name is taken, R1_1 and so on.
 * - Columns are [0, +∞) until bounded, a negative upper bound alone leaves the lower bound 0 (CPLEX's manual; some
 *   programs make it −∞), the last bound given wins; bounds of absolute value 1e30 or more are no bounds.
 * - Binaries fill in 0 and 1 where Bounds say nothing; a bound outside [0, 1] contradicts them and is refused.
 * - A word that opens a section is its header where it stands first on its line, and behind a complete expression; a
 *   variable can bear its name behind a sign or a relation alone.
 * - Sections of other kinds of program (semi-continuous, SOS, …) must be empty.
 *
 * Comments written by {@link writeLp} restore what LP cannot say, see `parseDirective`.
 *
 * @param file named in errors
 * @throws InputError with file, line and column for anything malformed or unsupported
 */
export function readLp(text: string, file = "<lp>", options: ReadingOptions = {}): Program {
  return readLpModel(text, file, options).program;
}

/** {@link readLp} with the reader's notes. */
export function readLpModel(text: string, file: string, { dialect = "cplex" }: ReadingOptions = {}): ReadModel {
  const tokens = tokenize(text, file);
  const cursor = new Cursor(tokens, dialect);
  const columns: LpColumn[] = [];
  const columnIndex = new Map<string, number>();
  const columnOf = (token: Token): number => {
    const { text: name } = token;
    let index = columnIndex.get(name);
    if (index === undefined) {
      index = columns.length;
      columnIndex.set(name, index);
      noteName(cursor, token);
      columns.push({ name, token, lower: undefined, upper: undefined, general: false, binary: undefined });
    }
    return index;
  };
  const columnNamed = (name: Token) => {
    if (!columnIndex.has(name.text)) noteWithoutTerms(cursor, name);
    return columns[columnOf(name)] as LpColumn;
  };
  const rows: LabelledRow[] = [];

  const header = cursor.peek();
  const sense = cursor.section();
  if (sense !== "minimize" && sense !== "maximize") {
    throw cursor.expected("Minimize or Maximize", "begin the file with the objective", tokens.list[0]);
  }
  noteSenseWord(cursor, header);
  const objectiveLabel = cursor.label();
  const objective = readObjective(cursor, sense, columnOf);

  const seen: Section[] = [];
  for (;;) {
    const header = cursor.peek();
    const section = cursor.section();
    if (section === "end") break;
    if (section === undefined) {
      throw cursor.expected("a section header or End", "close the file with End, or correct what stands before this");
    }
    noteHeader(cursor, header, section, seen);
    seen.push(section);
    if (section === "minimize" || section === "maximize") {
      throw cursor.expected("one objective", "remove the second one", header);
    }
    if (section === "unsupported") {
      // HiGHS ends every file that it writes with an empty one.
      if (cursor.atSectionEnd()) continue;
      const found = `found "${header.text}", which is not supported; remove or reformulate it`;
      throw cursor.error(`expected a section of a linear mixed-integer program, ${found}`, header);
    }
    while (!cursor.atSectionEnd()) {
      if (section === "constraints") rows.push(readConstraint(cursor, columnOf));
      else if (section === "bounds") readBoundStatement(cursor, columnNamed);
      else readInteger(cursor, section, columnIndex, columnNamed);
    }
  }
  if (cursor.peek().kind !== "end-of-text") throw cursor.expected("nothing after End", "remove it, or move End");

  noteCosts(cursor.notes, objective.terms, (column) => columns[column]?.token.line ?? 1);
  const names = rowNames(cursor, rows, objectiveLabel?.text);
  const program = finishDraft(
    {
      file,
      name: "",
      columns: columns.map((column) => finishedColumn(cursor, column)),
      rows: rows.map(
        ({ terms, lower, upper }, index): DraftRow => ({ name: names[index] as string, terms, lower, upper }),
      ),
      objective: {
        name: objectiveLabel?.text ?? freeName("obj", new Set(names)),
        sense,
        terms: objective.terms,
        constant: objective.constant,
      },
    },
    tokens.directives,
  );
  return { program, notes: cursor.notes.list() };
}

function readObjective(
  cursor: Cursor,
  sense: Objective["sense"],
  columnOf: ColumnOf,
): Pick<Expression, "terms" | "constant"> {
  if (cursor.atSectionEnd()) return { terms: [], constant: Rational.zero };
  const objective = readExpression(cursor, columnOf, "lines");
  if (objective.infinite !== 0) throw cursor.expected("a finite objective", "correct it", objective.start);
  if (!cursor.atSectionEnd()) {
    throw cursor.expected("a sign or a section header such as Subject To", "correct the objective or the header");
  }
  noteObjective(cursor, sense, objective);
  return objective;
}

function readInteger(
  cursor: Cursor,
  section: "generals" | "binaries",
  known: ReadonlyMap<string, number>,
  columnNamed: (name: Token) => LpColumn,
): void {
  const token = cursor.peek();
  if (token.kind !== "name" || isInfinityWord(token.text)) {
    throw cursor.expected("the name of a variable", `${section} lists names alone`);
  }
  cursor.next();
  // A header with a typing error would turn the names under it into variables of the wrong kind without a word.
  const alone = token.first && cursor.peek().first;
  if (alone && !known.has(token.text) && looksLikeKeyword(token.text)) {
    const what = "a variable that appeared before, or a section header";
    throw cursor.expected(what, "correct the header, or rename the variable", token);
  }
  const column = columnNamed(token);
  if (section === "generals") column.general = true;
  else column.binary = token;
}

function rowNames(cursor: Cursor, rows: readonly LabelledRow[], objective: string | undefined): string[] {
  const taken = new Set(objective === undefined ? [] : [objective]);
  for (const { label } of rows) {
    if (!label) continue;
    if (taken.has(label.text)) {
      throw cursor.expected("a new constraint name", "rename one of the two (the objective's name counts)", label);
    }
    taken.add(label.text);
  }
  return rows.map(({ label }, index) => {
    if (label) return label.text;
    const name = freeName(`R${index + 1}`, taken);
    taken.add(name);
    return name;
  });
}

function finishedColumn(cursor: Cursor, column: LpColumn): Column {
  const { name, binary } = column;
  const integer = binary !== undefined || column.general;
  noteNegativeUpper(cursor, column);
  const { lower = Rational.zero, upper = binary === undefined ? null : Rational.one } = column;
  if (binary === undefined) return { name, integer, lower, upper };
  const inside = (bound: Rational | null) => bound !== null && bound.sign() >= 0 && bound.compare(Rational.one) <= 0;
  if (!inside(lower) || !inside(upper)) {
    const given = `those given are ${lower ?? "-infinity"} and ${upper ?? "infinity"}`;
    const advice = "remove the bounds, or list it under Generals";
    throw cursor.expected(`a variable with bounds in [0, 1] (${given})`, advice, binary);
  }
  noteBinaryBounds(cursor, column);
  return { name, integer, lower, upper };
}
