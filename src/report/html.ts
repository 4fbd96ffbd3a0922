import { printable } from "../text/printable.js";

/** A piece of HTML: text that is markup, and not to be escaped again. Made by {@link html} alone. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a {@link html} template: text and numbers are escaped, pieces are not, lists are put end to end. */
export type HtmlPart = Html | string | number | null | readonly HtmlPart[];

/**
 * A template of HTML. Everything that it is filled with is escaped, so that nothing a plan file says becomes markup or ends
 * an attribute (attributes are written in double quotes); characters that steer text, such as those that turn its
 * direction round, are shown by their numbers. `null` is nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  return new Html(parts.reduce((markup, part, k) => markup + markupOf(values[k - 1] ?? null) + part));
}

/** Text that is markup already, such as a style sheet of this program's own: never anything from a file. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markupOf(value: HtmlPart): string {
  if (value === null) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(markupOf).join("");
  return escaped(String(value));
}

/** Lines stay lines: they are of texts that this program lays out, such as JSON. */
function escaped(text: string): string {
  const shown = text.split("\n").map(printable).join("\n");
  return shown.replace(/[&<>"']/g, (letter) => ESCAPES[letter] as string);
}

/**
 * A long text between two tags, such as JSON: what could become markup is escaped, quotes are not, which a text has no need of.
 * Never for an attribute.
 */
export function plainContent(text: string): Html {
  const shown = text.split("\n").map(printable).join("\n");
  return new Html(shown.replace(/[&<>]/g, (letter) => ESCAPES[letter] as string));
}
