import type { Verdict } from "../../proof/verdict.js";
import type { ValueUnit } from "../../text/value-unit.js";
import { boundBelow, nearest } from "../plan-file/rounding.js";

/** A proved bound as a person reads it: never as more than it is; where it is the value, that nothing is better. */
export function boundWords(
  what: "plan" | "partition",
  bound: NonNullable<Verdict["bound"]>,
  value: Verdict["value"],
  unit: ValueUnit,
): string {
  if (value?.equals(bound) === true) return `no ${what} is better than ${unit.text(nearest(value))}`;
  return `proved bound ${unit.boundText(value === null ? bound.toNumberDown() : boundBelow(bound, value))}`;
}
