/** What a note is about, in a word that stays the same. docs/solve.md has the list. */
export type NoteCode =
  | "binary-bounds"
  | "constant-in-objective"
  | "constant-on-left"
  | "empty-rhs"
  | "exponent-d"
  | "free-after-bound"
  | "free-row-range"
  | "free-row-rhs"
  | "glued-number"
  | "infinite-number"
  | "integer-default-bounds"
  | "integer-lower-alone"
  | "large-number"
  | "lines-after-end"
  | "long-number"
  | "marker-open"
  | "name-characters"
  | "name-keyword"
  | "name-like-number"
  | "names-with-blanks"
  | "negative-upper-alone"
  | "no-name"
  | "no-objective"
  | "no-rhs"
  | "objective-column-twice"
  | "objective-constant"
  | "objective-name"
  | "objective-sense"
  | "ranges-before-rhs"
  | "section-skipped"
  | "sense-word"
  | "set-name"
  | "several-sets"
  | "two-sided-row"
  | "wide-range";

/** One thing about the reading of a file: what was taken, and who takes it how. */
export interface Note {
  readonly code: NoteCode;
  /** From 1. */
  readonly line: number;
  readonly text: string;
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
