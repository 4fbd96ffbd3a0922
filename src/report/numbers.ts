import type { AnswerTexts } from "../text/optimality.js";
import { bytes, milliseconds, millisecondsBelow, relativeGap, significant, significantBelow } from "../text/units.js";
import { type Html, html } from "./html.js";

/**
 * A number of a plan file: rounded for people, exact for programs. `path` is where the file has it, such as
 * `objective.value` or `tables.0.tiers.1.rows`; the page shows no other number as the plan's.
 */
export function planNumber(path: string, value: number, text: string): Html {
  return html`<data value="${value}" data-path="${path}" title="${value}">${text}</data>`;
}

/** Digits of values. */
const DIGITS = 6;

/** What a plan's objective is counted in: seconds are shown as milliseconds, all else as it is. */
export interface ValueScale {
  /** A value. */
  readonly text: (value: number) => string;
  /** A proved bound of it: never shown as more than it is. */
  readonly boundText: (bound: number) => string;
  /** Of an axis. */
  readonly unit: string;
  /** How much of a value one of the axis is. */
  readonly size: number;
}

export const SECONDS: ValueScale = {
  text: (seconds) => milliseconds(seconds),
  boundText: (seconds) => millisecondsBelow(seconds),
  unit: "ms",
  size: 1e-3,
};

/** Values in a unit that is only known by its name, or not at all. */
export function plainScale(unit: string | null): ValueScale {
  const beside = unit === null ? "" : ` ${unit}`;
  return {
    text: (value) => `${significant(value, DIGITS)}${beside}`,
    boundText: (bound) => `${significantBelow(bound, DIGITS)}${beside}`,
    unit: unit ?? "",
    size: 1,
  };
}

/** A bound beside the value that it bounds: where both are one number they look like one. */
export function boundBeside(scale: ValueScale, bound: number, value: number | null): string {
  return bound === value ? scale.text(bound) : scale.boundText(bound);
}

/** How value and bound are written where it is said what is known of them. */
export function answerTexts(
  scale: ValueScale,
  { value, bound }: { readonly value: number | null; readonly bound: number | null },
  optimum: string,
): AnswerTexts {
  const text = bound === null ? "none" : boundBeside(scale, bound, value);
  return { value: scale.text(value ?? 0), bound: text, optimum };
}

export { bytes as byteText, relativeGap as gapText };
