import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Cursor } from "./cursor.js";
import { isInfinityWord } from "./names.js";
import type { Token } from "./tokens.js";

/** A sum of terms and constants; or, alone, an infinity (`infinite` −1 or 1). */
export interface Expression {
  readonly terms: [column: number, coefficient: Rational][];
  readonly constant: Rational;
  readonly infinite: -1 | 0 | 1;
  readonly start: Token;
  /** Where a constant stands, and whether a term comes after it. */
  readonly constantAt: { readonly token: Token; isLast: boolean } | undefined;
  /** The first variable that stands here a second time. */
  readonly repeated: Token | undefined;
}

/** An expression of nothing. */
export function noTerms(start: Token): Expression {
  return { terms: [], constant: Rational.zero, infinite: 0, start, constantAt: undefined, repeated: undefined };
}

/** Gives a column's index by name, creating it at its first appearance. */
export type ColumnOf = (name: Token) => number;

/**
 * Reads an expression. `extent` says how far it may reach: `"lines"` over line ends (left sides, objectives), `"line"`
 * to the end of the line (right sides, where the next line's `- y + z <= 3` is a constraint of its own).
 */
export function readExpression(cursor: Cursor, columnOf: ColumnOf, extent: "lines" | "line"): Expression {
  const start = cursor.peek();
  const terms: [number, Rational][] = [];
  let constant = Rational.zero;
  let infinite: -1 | 0 | 1 = 0;
  let constantAt: { token: Token; isLast: boolean } | undefined;
  let repeated: Token | undefined;
  const seen = new Set<number>();
  const push = (name: Token, coefficient: Rational) => {
    const column = columnOf(name);
    if (seen.has(column)) repeated ??= name;
    seen.add(column);
    terms.push([column, coefficient]);
    if (constantAt) constantAt.isLast = false;
  };
  for (let count = 0; ; count++) {
    const token = cursor.peek();
    if (count > 0) {
      if (token.kind !== "sign") break;
      if (extent === "line" && token.first) {
        if (terms.length === 0) break;
        // Neither reading is safe: a term of this right side, or the next constraint.
        const advice = "give the next constraint a name, or keep the right side on one line";
        throw cursor.expected("the end of a right side that has variables", advice);
      }
    }
    if (cursor.touches()) {
      const text = `blanks are not needed in front of ${shown(token.text)}; CBC takes what touches for one name`;
      cursor.note("glued-number", token, text);
    }
    const sign = readSigns(cursor);
    const term = cursor.peek();
    const isName = term.kind === "name" && !cursor.atLabel();
    if (isName && isInfinityWord(term.text)) {
      const advice = "an infinity stands alone on its side of a relation";
      if (count > 0) throw cursor.expected("a finite term", advice);
      cursor.next();
      infinite = sign;
      const after = cursor.peek();
      if (after.kind === "sign" && !(extent === "line" && after.first)) {
        throw cursor.expected("a relation or the end of the line", advice);
      }
      break;
    }
    if (isName) {
      push(cursor.next(), Rational.of(BigInt(sign)));
      continue;
    }
    if (term.kind !== "number") throw cursor.expected("a term such as 2 x", "complete or remove the expression");
    const value = cursor.numberValue(cursor.next());
    const coefficient = sign < 0 ? value.negate() : value;
    const factor = cursor.peek();
    const multiplies = factor.kind === "name" && !cursor.atLabel() && !(extent === "line" && factor.first);
    if (multiplies) {
      if (isInfinityWord(factor.text)) throw cursor.expected("a variable", "an infinity has no coefficient");
      if (factor.offset === term.offset + term.text.length) {
        const read = `${shown(term.text + factor.text)} is ${shown(term.text)} times ${shown(factor.text)}`;
        cursor.note("glued-number", term, `${read}; CBC takes another program from numbers that touch their names`);
      }
      push(cursor.next(), coefficient);
    } else {
      if (constantAt) constantAt.isLast = false;
      else constantAt = { token: term, isLast: true };
      constant = constant.add(coefficient);
    }
  }
  // Nobody differs on a last 0.
  if (constantAt?.isLast === true && constant.sign() === 0) constantAt = undefined;
  return { terms, constant, infinite, start, constantAt, repeated };
}

/** The product of the signs ahead: `+ - 2 x` is `-2 x`. */
export function readSigns(cursor: Cursor): 1 | -1 {
  let sign: 1 | -1 = 1;
  for (let count = 0; cursor.peek().kind === "sign"; count++) {
    if (count === 1) {
      const text = "signs that follow each other are multiplied; CBC takes one for a variable";
      cursor.note("repeated-sign", cursor.peek(), text);
    }
    if (cursor.next().text === "-") sign = sign === 1 ? -1 : 1;
  }
  return sign;
}
