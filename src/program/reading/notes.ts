import { shown } from "../../errors/shown.js";
import { Rational } from "../../exact/rational.js";

/** What a note is about, in a word that stays the same. docs/solve.md has the list. */
export type NoteCode =
  | "binary-bounds"
  | "column-over-marker"
  | "column-without-terms"
  | "constant-in-objective"
  | "constant-on-left"
  | "empty-rhs"
  | "exponent-d"
  | "free-after-bound"
  | "free-row-range"
  | "free-row-rhs"
  | "glued-number"
  | "header-comment"
  | "header-word"
  | "infinite-cost"
  | "infinite-number"
  | "infinite-side"
  | "integer-default-bounds"
  | "integer-lower-alone"
  | "large-number"
  | "lines-after-end"
  | "long-number"
  | "marker-open"
  | "name-characters"
  | "name-keyword"
  | "name-late"
  | "name-like-number"
  | "names-with-blanks"
  | "negative-upper-alone"
  | "no-name"
  | "no-objective"
  | "no-rhs"
  | "number-form"
  | "objective-column-twice"
  | "objective-constant"
  | "objective-name"
  | "objective-sense"
  | "ranges-before-rhs"
  | "relation-form"
  | "repeated-sign"
  | "section-skipped"
  | "section-twice"
  | "sense-word"
  | "set-name"
  | "several-sets"
  | "tab-first"
  | "tiny-number"
  | "two-sided-row"
  | "upper-then-lower"
  | "variables-on-right"
  | "wide-range";

/** One thing about the reading of a file: what was taken, and who takes it how. */
export interface Note {
  readonly code: NoteCode;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Below this, HiGHS drops coefficients of rows. */
const TINY = Rational.of(1n, 10n ** 9n);

/** Notes a number so small that readers take it for 0. */
export function noteTiny(
  notes: Notes,
  value: Rational,
  { text, line }: { readonly text: string; readonly line: number },
): void {
  if (value.denominator < TINY.denominator || value.absolute().compare(TINY) >= 0) return;
  const told = `${shown(text)} is taken as it is; HiGHS drops coefficients below 1e-9, lp_solve those below 1e-11`;
  notes.add("tiny-number", line, told);
}

/** From here on, costs are infinite to HiGHS. */
const INFINITE_COST = Rational.of(10n ** 20n);

/** Notes the first cost that is infinite to HiGHS; `lineOf`: where a column stands. */
export function noteCosts(
  notes: Notes,
  terms: readonly (readonly [column: number, coefficient: Rational])[],
  lineOf: (column: number) => number,
): void {
  const found = terms.find(([, cost]) => cost.absolute().compare(INFINITE_COST) >= 0);
  if (found === undefined) return;
  const [column] = found;
  notes.add("infinite-cost", lineOf(column), "a cost of 1e20 or more is taken as it is; HiGHS takes it as infinite");
}

/** Collects notes: the first of each code, and how many like it follow. */
export class Notes {
  readonly #first = new Map<NoteCode, { readonly note: Note; more: number }>();

  add(code: NoteCode, line: number, text: string): void {
    const known = this.#first.get(code);
    if (known === undefined) this.#first.set(code, { note: { code, line, text }, more: 0 });
    else known.more++;
  }

  /** By line. */
  list(): readonly Note[] {
    const notes = [...this.#first.values()].map(({ note, more }) =>
      more === 0 ? note : { ...note, text: `${note.text} (and ${more} more like it)` },
    );
    return notes.sort((a, b) => a.line - b.line);
  }
}
