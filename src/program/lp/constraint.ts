import { shown } from "../../errors/shown.js";
import type { Rational } from "../../exact/rational.js";
import type { DraftRow } from "../draft.js";
import { isInfinite, noteInfinity } from "../reading/infinity.js";
import type { Cursor } from "./cursor.js";
import { type ColumnOf, type Expression, noTerms, readExpression } from "./expression.js";
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
