import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import { type DraftRow, finishDraft } from "../draft.js";
import { type Column, freeName, type Objective, type Program } from "../program.js";
import { noteCosts } from "../reading/notes.js";
import type { ReadingOptions, ReadModel } from "../reading/read-model.js";
import { Cursor } from "./cursor.js";
import { type ColumnOf, type Expression, readExpression } from "./expression.js";
import { isInfinityWord, isKeyword, LIKE_NUMBER, looksLikeKeyword, MOST_LETTERS, UNREAD } from "./names.js";
import { type LabelledRow, type LpColumn, readBoundStatement, readConstraint } from "./statements.js";
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

/** Notes a column's name that a reader loses or takes for something else. */
function noteName(cursor: Cursor, token: Token): void {
  const { text } = token;
  const named = `"${shown(text)}" is the name of a variable`;
  if (LIKE_NUMBER.test(text)) {
    cursor.note("name-like-number", token, `${named}; HiGHS takes its beginning for a number`);
  }
  if (UNREAD.test(text) || text.length > MOST_LETTERS) {
    cursor.note("name-characters", token, `${named}; CBC does not take it, and calls all variables x0, x1, …`);
  }
  if (isKeyword(text)) {
    cursor.note("name-keyword", token, `${named} here; SCIP and CBC take it for a keyword`);
  }
}

/** Notes a column that stands in Bounds, Generals or Binaries alone. */
function noteWithoutTerms(cursor: Cursor, token: Token): void {
  const text = `"${shown(token.text)}" is a variable that neither the objective nor a row has`;
  cursor.note("column-without-terms", token, `${text}; CBC leaves it out, GLPK refuses it`);
}

/** Notes a word that HiGHS and SCIP do not know. */
function noteSenseWord(cursor: Cursor, header: Token): void {
  if (!/ise$/i.test(header.text)) return;
  const text = `${header.text} opens the objective; HiGHS and SCIP do not know the word, and minimise 0`;
  cursor.note("sense-word", header, text);
}

/** Notes a header that others take for variables, or lose variables at. `seen`: the sections before it, in order. */
function noteHeader(cursor: Cursor, header: Token, section: Section, seen: readonly Section[]): void {
  const word = shown(header.text);
  if (/^(gen|bin)$/i.test(word)) {
    cursor.note("header-word", header, `${word} opens a section; CBC takes it for a variable`);
  }
  if (/^int$/i.test(word)) {
    const last = seen.at(-1);
    // HiGHS does not know the word: in a list of names it is one more.
    const isInList = last === "generals" || last === "binaries";
    const who = isInList ? "CBC and HiGHS take it for a variable" : "CBC takes it for a variable, HiGHS refuses it";
    cursor.note("header-word", header, `${word} opens a section; ${who}`);
  }
  if (/^(lazy|user)/i.test(word)) {
    cursor.note("header-word", header, `${word} opens a section, which is empty; CBC takes it for variables`);
  }
  const isLate = section === "bounds" && (seen.includes("generals") || seen.includes("binaries"));
  if (isLate || (section === "constraints" && seen.includes(section))) {
    cursor.note("section-twice", header, `${word} stands here behind other sections; CBC takes other variables`);
  }
}

/** Notes what readers lose of an objective. */
function noteObjective(cursor: Cursor, sense: Objective["sense"], { constantAt, repeated }: Expression): void {
  if (constantAt !== undefined && (sense === "minimize" || !constantAt.isLast)) {
    const { token } = constantAt;
    const text = `${shown(token.text)} is a constant of the objective`;
    const cbc = constantAt.isLast ? "CBC drops it when minimising" : "CBC takes another program where it is not last";
    cursor.note("constant-in-objective", token, `${text}; ${cbc}, GLPK refuses it`);
  }
  if (repeated === undefined) return;
  const text = `"${shown(repeated.text)}" stands twice in the objective and is summed`;
  cursor.note("objective-column-twice", repeated, `${text}; HiGHS takes the last, GLPK and CBC refuse it`);
}

/** Notes an upper bound that leaves nothing. */
function noteNegativeUpper(cursor: Cursor, { token, lower, upper }: LpColumn): void {
  if (lower !== undefined || !(upper instanceof Rational) || upper.sign() >= 0) return;
  const text = `"${shown(token.text)}" has a negative upper bound and no lower one, which is 0: no value is left`;
  cursor.note("negative-upper-alone", token, `${text}; write -inf <= ${shown(token.text)} for another one`);
}

/** Notes bounds of a binary that are other than 0 and 1. */
function noteBinaryBounds(cursor: Cursor, { token, lower, upper }: LpColumn): void {
  const isNarrow = [lower, upper].some(
    (bound, k) => bound instanceof Rational && !bound.equals(Rational.of(BigInt(k))),
  );
  if (!isNarrow) return;
  const text = `the binary "${shown(token.text)}" keeps its bounds; CBC and GLPK take [0, 1]`;
  cursor.note("binary-bounds", token, text);
}
