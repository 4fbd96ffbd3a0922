import type { Place } from "../../errors/input-error.js";

/** One blank-separated field of a line, and where it begins. */
export interface Field extends Place {
  readonly text: string;
}

/** A line of an MPS file that says something. */
export type MpsLine =
  | { readonly kind: "comment"; readonly text: string; readonly place: Place }
  | {
      readonly kind: "section" | "data";
      readonly fields: readonly [Field, ...Field[]];
      /** Its first character is a tab. */
      readonly isTabbed?: boolean;
    };

/**
 * The lines of an MPS file in order; blank ones are left out. A line whose first character is `*` is a comment; an
 * indented `*` begins a name like any other character (Xpress calls its set of right-hand sides `*RHS*`). Any other line
 * whose first character is not blank opens a section.
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
    if (content.startsWith("*")) {
      yield { kind: "comment", text: content.slice(1), place: { line, column: 1 } };
    } else {
      const kind = first.column === 1 ? "section" : "data";
      yield { kind, fields: [first, ...others], isTabbed: content.startsWith("\t") };
    }
  }
}

/** Names that are known. */
export type Names = Pick<ReadonlySet<string>, "has">;

/**
 * The fields of a line without the comment behind them: from the field number `from` on, the first that begins with `$`
 * or `*` and is no name known there begins a comment.
 */
export function withoutComment(
  fields: readonly [Field, ...Field[]],
  from: number,
  names: Names,
): readonly [Field, ...Field[]] {
  const [first, ...others] = fields;
  const comment = others.findIndex(({ text }, k) => k + 1 >= from && /^[$*]/.test(text) && !names.has(text));
  return comment === -1 ? fields : [first, ...others.slice(0, comment)];
}
