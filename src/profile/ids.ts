/** An entry of a list that is written as text; `ENTRY` of sql/aggregate.ts is the same in SQL. */
const ENTRY = /"[^"]*"|'[^']*'|[^[\]\s|;,"']+/g;

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
  for (const match of text.matchAll(ENTRY)) yield { id: match[0].replace(/^["']+|["']+$/g, ""), offset: match.index };
}
