import { shown } from "../../errors/shown.js";
import type { Rational } from "../../exact/rational.js";
import { isInfinite, noteInfinity } from "../reading/infinity.js";
import type { Cursor } from "./cursor.js";
import { readSigns } from "./expression.js";
import { isInfinityWord } from "./names.js";
import { MIRRORED, type Relation, type Token } from "./tokens.js";

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
    const relation = readRelation(cursor);
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
  applyBound(cursor, column, readRelation(cursor).meaning, readValue(cursor));
}

function readRelation(cursor: Cursor): Token {
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
