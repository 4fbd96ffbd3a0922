import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";
import type { Objective } from "../program.js";
import type { LpColumn } from "./bounds.js";
import type { Cursor } from "./cursor.js";
import type { Expression } from "./expression.js";
import { isKeyword, LIKE_NUMBER, MOST_LETTERS, UNREAD } from "./names.js";
import type { Section, Token } from "./tokens.js";

/** Notes a column's name that a reader loses or takes for something else. */
export function noteName(cursor: Cursor, token: Token): void {
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
export function noteWithoutTerms(cursor: Cursor, token: Token): void {
  const text = `"${shown(token.text)}" is a variable that neither the objective nor a row has`;
  cursor.note("column-without-terms", token, `${text}; CBC leaves it out, GLPK refuses it`);
}

/** Notes a word that HiGHS and SCIP do not know. */
export function noteSenseWord(cursor: Cursor, header: Token): void {
  if (!/ise$/i.test(header.text)) return;
  const text = `${header.text} opens the objective; HiGHS and SCIP do not know the word, and minimise 0`;
  cursor.note("sense-word", header, text);
}

/** Notes a header that others take for variables, or lose variables at. `seen`: the sections before it, in order. */
export function noteHeader(cursor: Cursor, header: Token, section: Section, seen: readonly Section[]): void {
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
export function noteObjective(cursor: Cursor, sense: Objective["sense"], { constantAt, repeated }: Expression): void {
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
export function noteNegativeUpper(cursor: Cursor, { token, lower, upper }: LpColumn): void {
  if (lower !== undefined || !(upper instanceof Rational) || upper.sign() >= 0) return;
  const text = `"${shown(token.text)}" has a negative upper bound and no lower one, which is 0: no value is left`;
  cursor.note("negative-upper-alone", token, `${text}; write -inf <= ${shown(token.text)} for another one`);
}

/** Notes bounds of a binary that are other than 0 and 1. */
export function noteBinaryBounds(cursor: Cursor, { token, lower, upper }: LpColumn): void {
  const isNarrow = [lower, upper].some(
    (bound, k) => bound instanceof Rational && !bound.equals(Rational.of(BigInt(k))),
  );
  if (!isNarrow) return;
  const text = `the binary "${shown(token.text)}" keeps its bounds; CBC and GLPK take [0, 1]`;
  cursor.note("binary-bounds", token, text);
}
