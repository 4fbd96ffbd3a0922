import { bitLength, greatestCommonDivisor, Rational } from "../exact/rational.js";
import type { LinearForm } from "../program/program.js";

/** A linear form as integers without a common divisor: integers[k] = factor · coefficient[k], factor > 0. */
export interface PrimitiveForm {
  readonly columns: readonly number[];
  readonly integers: readonly bigint[];
  readonly factor: Rational;
}

export function primitiveForm(form: LinearForm): PrimitiveForm {
  let divisor = 0n;
  for (const coefficient of form.coefficients) {
    divisor = greatestCommonDivisor(divisor, coefficient);
    if (divisor === 1n) break;
  }
  if (divisor <= 1n) {
    return { columns: form.columns, integers: form.coefficients, factor: Rational.of(form.denominator) };
  }
  return {
    columns: form.columns,
    integers: form.coefficients.map((coefficient) => coefficient / divisor),
    factor: Rational.of(form.denominator, divisor),
  };
}

/** Floor of the base-two logarithm of a non-zero integer's magnitude. */
export function exponentOf(value: bigint): number {
  const double = Math.abs(Number(value));
  if (double <= Number.MAX_SAFE_INTEGER) return Math.floor(Math.log2(double));
  return bitLength(value < 0n ? -value : value) - 1;
}

/** value · 2^exponent as the nearest double. */
export function shifted(value: bigint, exponent: number): number {
  const double = Number(value);
  if (Number.isSafeInteger(double) && Math.abs(exponent) < 900) return double * 2 ** exponent;
  return Rational.of(value).multiply(powerOfTwo(exponent)).toNumber();
}

export function powerOfTwo(exponent: number): Rational {
  return exponent >= 0 ? Rational.of(1n << BigInt(exponent)) : Rational.of(1n, 1n << BigInt(-exponent));
}
