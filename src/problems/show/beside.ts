import { nothing, table } from "../../terminal/table.js";
import { gapText } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";

/** What stands behind our own answer. */
export function provedText(status: string): string {
  return status === "unknown" ? status : `${status}, checked in exact arithmetic`;
}

/** What stands behind a solver's answer. */
export function claimText(status: string): string {
  return `claims ${status}, not proved`;
}

/** An answer to a question that several were asked. */
export interface BesideRow {
  readonly who: string;
  readonly value: number | null;
  readonly bound: number | null;
  readonly gap: number | null;
  /** Wall-clock; `null` where nobody counted. */
  readonly seconds: number | null;
  /** Whether it was proved, or is the word of a solver. */
  readonly says: string;
}

/** Value, bound, gap and time of several, one below the other; `text` writes a value or bound. */
export function showBeside(rows: readonly BesideRow[], text: (value: number) => string): string {
  const cell = (value: number | null) => (value === null ? nothing() : text(value));
  return table(
    ["side by side", "value", "bound", "gap", "seconds", ""],
    rows.map(({ who, value, bound, gap, seconds, says }) => [
      printable(who),
      cell(value),
      cell(bound),
      gap === null ? nothing() : gapText({ value, bound, gap }),
      seconds === null ? nothing() : seconds.toFixed(3),
      printable(says),
    ]),
    "lrrrrl",
  );
}
