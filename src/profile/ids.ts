import { sqlText } from "../duckdb/open.js";
import { ENTRY } from "./sql/aggregate.js";

/** SQL's `\s`, where that of JavaScript has more: no-break spaces and others are part of an id. */
const SPACES = "\\t\\n\\f\\r ";

const ENTRIES = new RegExp(ENTRY.replace("\\s", SPACES), "g");

/** What parts entries, as often as there is some. */
const BETWEEN = `[${SPACES}|;,]`;

const LIST = `${BETWEEN}*((${ENTRY})(${BETWEEN}+(${ENTRY}))*${BETWEEN}*)?`;

/** What a list that is written as text is expected to be. */
export const LIST_EXPECTED = "a list of row ids, such as [1, 2] or 1|2, with no brackets inside and every quote closed";

/** SQL for whether a text is a list: entries apart from each other, in one pair of brackets or in none. */
export function isListSql(text: string): string {
  return `regexp_full_match(${text}, ${sqlText(`[${SPACES}]*(\\[${LIST}\\][${SPACES}]*|${LIST})`)})`;
}

/** SQL for a list that is written as text; the query ends where it is none. */
export function listSql(text: string): string {
  return `CASE WHEN ${text} IS NULL OR ${isListSql(text)} THEN ${text} ELSE error('no list') END`;
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

/**
 * Whether a field is a list rather than one id: in brackets, or integers between separators. Where nothing says which
 * sample a line belongs to (`hasSamples` is false), it can only be a list, and texts between separators are one too.
 */
export function looksLikeList(text: string, hasSamples = true): boolean {
  const trimmed = text.trim();
  if (/^\[.*\]$/s.test(trimmed) || /^[+-]?\d+(\s*[|;,\s]\s*[+-]?\d+)+$/.test(trimmed)) return true;
  return !hasSamples && /[|;,\s]/.test(trimmed);
}

/** The first id of a list that is written as text, or undefined when it is empty. */
export function firstEntry(text: string): string | undefined {
  for (const { id } of entriesOf(text)) return id;
  return undefined;
}

/** The ids of a list that is written as text, and the offset of each. */
export function* entriesOf(text: string): Generator<{ readonly id: string; readonly offset: number }> {
  for (const match of text.matchAll(ENTRIES)) yield { id: match[0].replace(/^["']+|["']+$/g, ""), offset: match.index };
}
