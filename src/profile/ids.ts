import { sqlText } from "../access/duckdb/open.js";
import { ENTRY } from "./sql/aggregate.js";

/** SQL's `\s`, where that of JavaScript has more: no-break spaces and others are part of an id. */
const SPACES = "\\t\\n\\f\\r ";

const ENTRIES = new RegExp(ENTRY.replace("\\s", SPACES), "g");

/** What parts entries, as often as there is some. */
const BETWEEN = `[${SPACES}|;,]`;

const LIST = `${BETWEEN}*((${ENTRY})(${BETWEEN}+(${ENTRY}))*${BETWEEN}*)?`;

/** What a list that is written as text is expected to be. */
export const LIST_EXPECTED = "a list of row ids, such as [1, 2] or 1|2, with no brackets inside and every quote closed";

/** A list in round brackets or braces, as Python writes tuples and sets, and Postgres arrays. */
const WRAPPED = `(\\(([^()]|\\([^()]*\\))*\\)|\\{[^{}]*\\})[${SPACES}]*`;

/** An id in a list with its weight, as libsvm writes it. */
const WEIGHTED = "([+-]?[0-9]+):[+-]?[0-9.]+([eE][+-]?[0-9]+)?";

/** SQL for whether a text is a list: entries apart from each other, in one pair of brackets or in none. */
export function isListSql(text: string, { isWeighted }: Written = { isWeighted: false }): string {
  return isBareListSql(bareSql(text, isWeighted));
}

/** SQL for a list that is written as text; the query ends where it is none. */
export function listSql(text: string, { isWeighted }: Written): string {
  const held = (bare: string) => `CASE WHEN ${isBareListSql(bare)} THEN ${bare} ELSE error('no list') END`;
  const plain = isWeighted ? withoutWeights(text) : text;
  return `CASE WHEN ${text} IS NULL THEN NULL WHEN ${isWrappedSql(text)} THEN ${held(bareSql(text, isWeighted))} ELSE ${held(plain)} END`;
}

interface Written {
  readonly isWeighted: boolean;
}

function isBareListSql(text: string): string {
  return `regexp_full_match(${text}, ${sqlText(`[${SPACES}]*(\\[${LIST}\\][${SPACES}]*|${LIST})`)})`;
}

/** Looked at by its start first: the pattern alone would take as long as all the rest. */
function isWrappedSql(text: string): string {
  const starts = ["(", "{", "set()"].map((start) => `starts_with(${text}, '${start}')`).join(" OR ");
  return `((${starts}) AND regexp_full_match(${text}, ${sqlText(`set\\(\\)|${WRAPPED}`)}))`;
}

/** Without round brackets or braces around it, and without weights. */
function bareSql(text: string, isWeighted: boolean): string {
  const bare = `CASE WHEN ${isWrappedSql(text)} THEN replace(trim(${text}), 'set()', '()')[2:-2] ELSE ${text} END`;
  return isWeighted ? withoutWeights(bare) : bare;
}

function withoutWeights(text: string): string {
  return `regexp_replace(${text}, ${sqlText(`(^|[\\[${BETWEEN.slice(1)})${WEIGHTED}`)}, '\\1\\2', 'g')`;
}

/** SQL for a text, NULL where it is one of those that mean none. */
export function missingSql(text: string, missing: readonly string[]): string {
  return missing.length === 0
    ? text
    : `CASE WHEN ${text} IN (${missing.map(sqlText).join(", ")}) THEN NULL ELSE ${text} END`;
}

/** The same here, with blanks in their place, so that what is left stays where it was. */
export function bareText(text: string, { isWeighted }: Written): string {
  const blank = (of: string) => " ".repeat(of.length);
  const isWrapped = new RegExp(`^(set\\(\\)|${WRAPPED})$`).test(text);
  const open = text.search(/[({]/);
  const close = Math.max(text.lastIndexOf(")"), text.lastIndexOf("}"));
  const bare = isWrapped
    ? `${blank(text.slice(0, open + 1))}${text.slice(open + 1, close)}${blank(text.slice(close))}`
    : text;
  return isWeighted
    ? bare.replace(/(?<=^|[[\s|;,])([+-]?\d+)(:[+-]?[\d.]+([eE][+-]?\d+)?)/g, (_, id, weight) => id + blank(weight))
    : bare;
}

/** The offset of the first thing that makes a text no list, as {@link isListSql} has it; undefined where it is one. */
export function listFault(text: string): number | undefined {
  const open = text.search(new RegExp(`[^${SPACES}]`));
  const isOpen = text[open] === "[";
  const end = isOpen ? text.lastIndexOf("]") : text.length;
  if (end < 0 || new RegExp(`[^${SPACES}]`).test(text.slice(end + 1))) return open;
  let at = isOpen ? open + 1 : 0;
  const inside = text.slice(0, end);
  let isFirst = true;
  for (const { 0: entry, index } of [...inside.matchAll(ENTRIES), { 0: "", index: end }]) {
    const gap = inside.slice(at, index);
    const odd = gap.search(new RegExp(`[^${BETWEEN.slice(1)}`));
    if (odd !== -1) return at + odd;
    if (gap === "" && !isFirst && entry !== "") return index;
    at = index + entry.length;
    isFirst = false;
  }
  return undefined;
}

/** What SQL's widest integers hold. */
export const INTEGER_PATTERN = "[+-]?[0-9]{1,38}";

const INTEGER = new RegExp(`^${INTEGER_PATTERN}$`);

export function isInteger(text: string): boolean {
  return INTEGER.test(text.trim());
}

/** Hexadecimal, as hashes are written: the digits alone may be those of an integer, or of 1e5. */
export function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text);
}

/** Whether an entry is an integer with a weight behind a colon. */
export function isWeighted(entry: string): boolean {
  return new RegExp(`^${WEIGHTED}$`).test(entry);
}

/** An integer, or a text in quotes, with what Python's and Postgres' lists of them look like. */
const SURE = `([+-]?\\d+|"[^"]*"|'[^']*')`;
const TUPLE = new RegExp(
  `^(set\\(\\)|\\(\\s*(${SURE}(\\s*,\\s*${SURE})*,?\\s*)?\\)|\\{\\s*(${SURE}(\\s*,\\s*${SURE})*\\s*)?\\})$`,
);

/**
 * Whether a field is a list rather than one id: in brackets, or integers between separators. Where nothing says which
 * sample a line belongs to (`hasSamples` is false), it can only be a list, and texts between separators are one too.
 */
export function looksLikeList(text: string, hasSamples = true): boolean {
  const trimmed = text.trim();
  if (/^\[.*\]$/s.test(trimmed) || TUPLE.test(trimmed) || /^[+-]?\d+(\s*[|;,\s]\s*[+-]?\d+)+$/.test(trimmed))
    return true;
  return !hasSamples && /[|;,\s]/.test(trimmed);
}

/** Whether a reader would take a text for several ids: entries between separators, in brackets, or with weights. */
export function looksLikeTexts(text: string): boolean {
  const trimmed = text.trim();
  return /^[({].*[)}]$/s.test(trimmed) || /^[^|;,\s]+([|;,]|\s+)[^|;,\s]/.test(trimmed) || isWeighted(trimmed);
}

/** The ids of a list that is written as text, for {@link readTexts}. */
export function firstEntries(text: string): string[] {
  return [...entriesOf(bareText(text, { isWeighted: false }))].map(({ id }) => id);
}

/** The ids of a list that is written as text, and the offset of each. */
export function* entriesOf(text: string): Generator<{ readonly id: string; readonly offset: number }> {
  for (const match of text.matchAll(ENTRIES)) yield { id: match[0].replace(/^["']+|["']+$/g, ""), offset: match.index };
}
