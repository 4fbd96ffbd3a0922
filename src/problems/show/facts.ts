import type { Fact } from "../../facts/facts.js";
import { facts, paint } from "../../terminal/table.js";
import { printable } from "../../text/printable.js";
import { drawn, type Pen, type Said } from "../../text/said.js";

const MARKS = {
  strong: paint.bold,
  faint: paint.dim,
  good: paint.green,
  open: paint.yellow,
  warning: paint.red,
  terminal: (text: string) => text,
  page: () => "",
} as const;

const PEN: Pen<string> = {
  words: printable,
  number: ({ text }) => printable(text),
  marked: (as, text) => MARKS[as](text),
  joined: (texts) => texts.join(""),
};

/** What is said, for the terminal. */
export function sentence(said: Said): string {
  return drawn(said, PEN);
}

/** Facts as the terminal lists them. */
export function showFacts(all: readonly Fact[]): string {
  const listed = all.filter(({ on }) => on !== "page");
  return facts(listed.map(({ name, said }) => [printable(name), sentence(said)]));
}
