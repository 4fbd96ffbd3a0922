import { shown } from "../../errors/shown.js";
import type { Rational } from "../../exact/rational.js";
import type { DraftRow } from "../draft.js";
import { isInfinite, noteInfinity } from "../reading/infinity.js";
import type { Cursor } from "./cursor.js";
import { type ColumnOf, type Expression, noTerms, readExpression, readSigns } from "./expression.js";
import { isInfinityWord } from "./names.js";
import { MIRRORED, type Relation, type Token } from "./tokens.js";

/** A constraint with its label, if it has one. */
export type LabelledRow = Omit<DraftRow, "name"> & { readonly label: Token | undefined };

/**
 * Reads `[name:] expression relation expression`, with constants and variables on either side, or a range
 * `[name:] constant <= expression <= constant` (or `>=` twice). Everything is moved exactly: variables to one side,
 * constants to the other.
 */
export function readConstraint(cursor: Cursor, columnOf: ColumnOf): LabelledRow {
  const label = cursor.label();
  // A named row without terms, `r1: >= 1`, is what HiGHS writes of one.
  const isEmpty = label !== undefined && cursor.peek().kind === "relation";
  const left = isEmpty ? noTerms(cursor.peek()) : readExpression(cursor, columnOf, "lines");
  const relation = readRelation(cursor);
  const middle = readExpression(cursor, columnOf, left.terms.length === 0 ? "lines" : "line");
  const second = cursor.peek();
  if (second.kind !== "relation") return { label, ...twoSided(cursor, left, relation, middle) };

  if (relation === "=" || second.meaning !== relation) {
    const what = `another ${relation === "=" ? "constraint" : `${relation}=`}`;
    throw cursor.expected(what, "a range has the same direction twice: 1 <= x + y <= 5");
  }
  cursor.next();
  const right = readExpression(cursor, columnOf, "line");
  for (const outer of [left, right]) {
    if (outer.terms.length > 0) {
      throw cursor.expected("a constant at both ends of a range", "split it into two constraints", outer.start);
    }
  }
  if (middle.infinite !== 0) {
    throw cursor.expected("an expression in the middle of a range", "put the infinity at an end", middle.start);
  }
  const row = label === undefined ? "a row" : `the row "${shown(label.text)}"`;
  const others = `CBC takes ${second.text} for a variable, HiGHS, GLPK and SCIP refuse it`;
  cursor.note("two-sided-row", second, `${row} has two sides, as written; ${others}`);
  const low = relation === "<" ? left : right;
  const high = relation === "<" ? right : left;
  return {
    label,
    terms: middle.terms,
    lower: boundOf(cursor, low, middle.constant, -1),
    upper: boundOf(cursor, high, middle.constant, 1),
  };
}

function readRelation(cursor: Cursor): Relation {
  const token = cursor.peek();
  if (token.kind !== "relation") {
    const advice = "complete the constraint, or correct a misspelt section header or a missing sign";
    throw cursor.expected("<=, >= or =", advice);
  }
  cursor.next();
  if (token.text !== "=" && token.text !== `${token.meaning}=`) {
    const text = `${token.text} is taken as ${token.meaning}=; CBC takes other variables, HiGHS refuses it`;
    cursor.note("relation-form", token, text);
  }
  return token.meaning as Relation;
}

function twoSided(cursor: Cursor, left: Expression, relation: Relation, right: Expression): Omit<DraftRow, "name"> {
  if (left.infinite !== 0 && right.infinite !== 0) {
    throw cursor.expected("an expression beside the infinity", "correct the constraint", left.start);
  }
  // `5 <= x + y` keeps the signs of its terms: the constant side is the bound.
  const leftIsBound = left.infinite !== 0 || (left.terms.length === 0 && right.terms.length > 0);
  if (leftIsBound) {
    if (left.infinite !== 0) {
      const text = "an infinite left side leaves the row free";
      cursor.note("infinite-side", left.start, `${text}; CBC takes other variables, HiGHS, GLPK and SCIP refuse it`);
    }
    return twoSided(cursor, right, MIRRORED[relation], left);
  }
  if (left.terms.length > 0 && right.terms.length > 0) {
    const others = "CBC takes a lone one for 0, HiGHS, GLPK and SCIP refuse them";
    cursor.note("variables-on-right", right.start, `variables on the right side are moved to the left; ${others}`);
  }
  for (const { terms, constantAt } of [left, right]) {
    if (terms.length === 0 || constantAt === undefined) continue;
    const text = `the constant ${shown(constantAt.token.text)} beside variables is moved to the other side`;
    const others = "HiGHS drops it, CBC takes other variables, GLPK and SCIP refuse it";
    cursor.note("constant-on-left", constantAt.token, `${text}; ${others}`);
  }
  const terms = [...left.terms];
  for (const [column, coefficient] of right.terms) terms.push([column, coefficient.negate()]);
  return {
    terms,
    lower: relation === "<" ? null : boundOf(cursor, right, left.constant, relation === "=" ? 0 : -1),
    upper: relation === ">" ? null : boundOf(cursor, right, left.constant, relation === "=" ? 0 : 1),
  };
}

/** `bound − constant`; an infinity on the open side (`open` −1 below, 1 above, 0 nowhere) is no bound. */
function boundOf(cursor: Cursor, bound: Expression, constant: Rational, open: -1 | 0 | 1): Rational | null {
  const side = bound.constant.subtract(constant);
  if (bound.infinite === 0) {
    const written = bound.constantAt?.token ?? bound.start;
    noteInfinity(cursor.notes, cursor.dialect, "infiniteSide", side, written);
    if (!isInfinite(cursor.rules, "infiniteSide", side)) return side;
  }
  if ((bound.infinite || side.sign()) === open) return null;
  const what = open === 0 ? "a finite value of an equation" : `a bound ${open < 0 ? "below" : "above minus"} infinity`;
  throw cursor.expected(what, "correct the sign or remove the constraint", bound.start);
}

/** A column while its file is being read; a bound is `undefined` until one is given and `null` when given as infinite. */
export interface LpColumn {
  readonly name: string;
  /** Where it appeared first. */
  readonly token: Token;
  lower: Rational | null | undefined;
  upper: Rational | null | undefined;
  general: boolean;
  /** Where the column is declared binary. */
  binary: Token | undefined;
}

interface Value {
  readonly value: Rational | "+inf" | "-inf";
  readonly start: Token;
}

/**
 * Reads one statement of the Bounds section: `x free`, `x <= 4`, `1 <= x`, `1 <= x <= 4`, `x = 3`. A later bound
 * replaces an earlier one, as CPLEX has it.
 */
export function readBoundStatement(cursor: Cursor, columnOf: (name: Token) => LpColumn): void {
  if (cursor.peek().kind !== "name" || isInfinityWord(cursor.peek().text)) {
    const left = readValue(cursor);
    const relation = readBoundRelation(cursor);
    const name = cursor.peek();
    if (name.kind !== "name") throw cursor.expected("a variable", "a bound has the form 1 <= x <= 4");
    cursor.next();
    const column = columnOf(name);
    applyBound(cursor, column, MIRRORED[relation.meaning as Relation], left);
    const second = cursor.peek();
    if (second.kind !== "relation") return;
    if (second.meaning !== relation.meaning || relation.meaning === "=") {
      throw cursor.expected(`another ${relation.text}`, "a two-sided bound has the same direction twice: 1 <= x <= 4");
    }
    cursor.next();
    applyBound(cursor, column, second.meaning, readValue(cursor));
    return;
  }
  const name = cursor.next();
  const column = columnOf(name);
  const word = cursor.peek();
  if (word.kind === "name" && word.text.toLowerCase() === "free") {
    cursor.next();
    if (column.lower !== undefined || column.upper !== undefined) {
      const text = `"${shown(name.text)}" is free, which replaces the bounds before it`;
      cursor.note("free-after-bound", word, `${text}; CBC and SCIP keep the upper one`);
    }
    column.lower = null;
    column.upper = null;
    return;
  }
  applyBound(cursor, column, readBoundRelation(cursor).meaning, readValue(cursor));
}

function readBoundRelation(cursor: Cursor): Token {
  if (cursor.peek().kind === "relation") return cursor.next();
  throw cursor.expected("<=, >=, = or free", "a bound has the form x <= 4, 1 <= x <= 4 or x free");
}

function readValue(cursor: Cursor): Value {
  const start = cursor.peek();
  if (cursor.touches()) {
    const text = `blanks are not needed in front of ${shown(start.text)}; CBC loses the names of all variables without them`;
    cursor.note("glued-number", start, text);
  }
  const sign = readSigns(cursor);
  const token = cursor.peek();
  const infinite = sign < 0 ? "-inf" : "+inf";
  if (token.kind === "name" && isInfinityWord(token.text)) {
    cursor.next();
    return { value: infinite, start };
  }
  if (token.kind !== "number") throw cursor.expected("a number or an infinity", "a bound has the form x <= 4");
  const magnitude = cursor.numberValue(cursor.next());
  noteInfinity(cursor.notes, cursor.dialect, "infiniteBound", magnitude, token);
  if (isInfinite(cursor.rules, "infiniteBound", magnitude)) return { value: infinite, start };
  return { value: sign < 0 ? magnitude.negate() : magnitude, start };
}

function applyBound(cursor: Cursor, column: LpColumn, relation: Token["meaning"], { value, start }: Value): void {
  const wrong = (what: string) => cursor.expected(`${what} for "${column.name}"`, "correct the bound", start);
  if (relation === "=") {
    if (typeof value === "string") throw wrong("a finite value");
    column.lower = value;
    column.upper = value;
  } else if (relation === ">") {
    if (value === "+inf") throw wrong("a lower bound below infinity");
    column.lower = value === "-inf" ? null : value;
  } else {
    if (value === "-inf") throw wrong("an upper bound above minus infinity");
    column.upper = value === "+inf" ? null : value;
  }
}
