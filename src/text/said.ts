/** A number of a plan file: exact for programs, rounded for people. */
export interface Quantity {
  /** Where the file has it, such as `objective.value` or `tables.0.tiers.1.rows`. */
  readonly path: string;
  readonly value: number;
  /** As people read it, with its unit. */
  readonly text: string;
}

/** Where something is read. What a medium draws elsewhere, such as in a chart, it leaves out of its sentences. */
export type Medium = "terminal" | "page";

/** Words that stand out, that stand back, that are good news, open or a warning, or that one medium alone has. */
export interface Marked {
  readonly as: "strong" | "faint" | "good" | "open" | "warning" | Medium;
  readonly said: Said;
}

/** Words with the numbers of a plan file among them, drawn by every medium in its own way; `null` is nothing. */
export type Said = string | Quantity | Marked | null | readonly Said[];

export function quantity(path: string, value: number, text: string): Quantity {
  return { path, value, text };
}

/** What the sentence is about. */
export function strong(said: Said): Marked {
  return { as: "strong", said };
}

export function faint(...said: readonly Said[]): Marked {
  return { as: "faint", said };
}

/** What follows a sentence for those who want more: in the terminal, two spaces off. */
export function aside(...said: readonly Said[]): Said {
  return [" ", only("terminal", " "), faint(...said)];
}

export function warning(said: Said): Marked {
  return { as: "warning", said };
}

/** What one medium alone says. */
export function only(medium: Medium, ...said: readonly Said[]): Marked {
  return { as: medium, said };
}

/** How a medium writes words, numbers, and what is marked; `joined` puts its pieces end to end. */
export interface Pen<Text> {
  readonly words: (text: string) => Text;
  readonly number: (quantity: Quantity) => Text;
  readonly marked: (as: Marked["as"], text: Text) => Text;
  readonly joined: (texts: readonly Text[]) => Text;
}

/** What is said, in a medium's own text. */
export function drawn<Text>(said: Said, pen: Pen<Text>): Text {
  if (said === null) return pen.joined([]);
  if (typeof said === "string") return pen.words(said);
  if ("path" in said) return pen.number(said);
  if ("as" in said) return pen.marked(said.as, drawn(said.said, pen));
  return pen.joined(said.map((part) => drawn(part, pen)));
}

/** What is said as one text, without any marks, as a page has it. */
export function plainText(said: Said): string {
  return drawn(said, {
    words: (text) => text,
    number: ({ text }) => text,
    marked: (as, text) => (as === "terminal" ? "" : text),
    joined: (texts) => texts.join(""),
  });
}
