import type { Verdict } from "../../proof/verdict.js";
import { milliseconds, millisecondsBelow, significant, significantBelow } from "../../text/units.js";
import { boundBelow, nearest } from "../plan-file/rounding.js";

/** Digits of values. */
const DIGITS = 6;

/** How values are written: rounded to the nearest, and down. */
export interface ValueText {
  readonly nearest: (value: number) => string;
  readonly below: (value: number) => string;
}

export const SECONDS: ValueText = {
  nearest: (value) => milliseconds(value),
  below: (value) => millisecondsBelow(value),
};

/** Values in a unit that is only known by its name, or in none. */
export function plainText(unit: string | null): ValueText {
  const beside = unit === null ? "" : ` ${unit}`;
  return {
    nearest: (value) => `${significant(value, DIGITS)}${beside}`,
    below: (value) => `${significantBelow(value, DIGITS)}${beside}`,
  };
}

/** A proved bound as a person reads it: never as more than it is; where it is the value, that nothing is better. */
export function boundWords(
  what: "plan" | "partition",
  bound: NonNullable<Verdict["bound"]>,
  value: Verdict["value"],
  text: ValueText,
): string {
  if (value?.equals(bound) === true) return `no ${what} is better than ${text.nearest(nearest(value))}`;
  return `proved bound ${text.below(value === null ? bound.toNumberDown() : boundBelow(bound, value))}`;
}
