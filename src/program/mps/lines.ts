import type { Place } from "../../errors/input-error.js";

/** One blank-separated field of a line, and where it begins. */
export interface Field extends Place {
  readonly text: string;
}

/** A line of an MPS file that says something. */
export type MpsLine =
  | { readonly kind: "comment"; readonly text: string; readonly place: Place }
  | { readonly kind: "section" | "data"; readonly fields: readonly [Field, ...Field[]] };

/**
 * The lines of an MPS file in order; blank ones are left out. A line whose first character is not blank opens a
 * section; a line whose first visible character is `*` is a comment, wherever that character stands (as HiGHS and CLP
 * have it).
 */
export function* mpsLines(text: string): Generator<MpsLine> {
  let line = 0;
  for (let start = 0; start <= text.length; ) {
    line++;
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const content = text.slice(start, end);
    start = end + 1;
    const fields: Field[] = [];
    for (const match of content.matchAll(/\S+/g)) fields.push({ text: match[0], line, column: match.index + 1 });
    const [first, ...others] = fields;
    if (first === undefined) continue;
    if (first.text.startsWith("*")) {
      yield { kind: "comment", text: content.slice(first.column), place: first };
    } else {
      yield { kind: first.column === 1 ? "section" : "data", fields: [first, ...others] };
    }
  }
}
