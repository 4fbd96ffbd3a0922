import { milliseconds, millisecondsBelow, significant, significantBelow } from "../../text/units.js";
import type { Amounts } from "../problem.js";

/** Digits of values and bounds: all that a double is sure of, less what nobody reads. */
const DIGITS = 12;

export const IN_SECONDS: Amounts = {
  number: (value) => milliseconds(value, DIGITS),
  below: (value) => millisecondsBelow(value, DIGITS),
};

/** Plain numbers, in a unit where there is one. */
export function plainAmounts(unit: string | null): Amounts {
  const withUnit = (text: string) => (unit === null ? text : `${text} ${unit}`);
  return {
    number: (value) => withUnit(significant(value, DIGITS)),
    below: (value) => withUnit(significantBelow(value, DIGITS)),
  };
}
