import { Rational } from "../../exact/rational.js";

/** Where Python's arithmetic differs from this language's: TorchRec's bytes come out right only with Python's. */

/** `sum(values)` of CPython up to 3.11, from left to right; later ones compensate, and may differ in the last place. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** `round(value)` of a number that is not negative: ties go to the even neighbour. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** `math.ceil(a * b / (c * d))` of integers: Python multiplies exactly and rounds the quotient once. */
export function ceilOfQuotient(a: number, b: number, c: number, d: number): number {
  const dividend = a * b;
  const divisor = c * d;
  if (dividend <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER) return Math.ceil(dividend / divisor);
  return Math.ceil(Rational.of(BigInt(a) * BigInt(b), BigInt(c) * BigInt(d)).toNumber());
}
