/** It matches a text in one way at most, in linear time: `\d+\.?\d*` would split digits in many. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** A text that is all of a decimal number as the double nearest to it; `NaN` for other texts. */
export function decimalIn(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
