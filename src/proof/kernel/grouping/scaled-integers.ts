import { bitLength, floorDivide, Rational } from "../../../exact/rational.js";

/** The search through clusters adds integers held in doubles; its sums stay below 2 to this, so that each is exact. */
const BITS = 52;

/** The largest k with |reach| · 2^k below what sums may come to: the scale of the search's integers. */
export function scaleFor(reach: Rational): number {
  if (reach.sign() === 0) return 0;
  return BITS - (bitLength(reach.absolute().numerator) - bitLength(reach.denominator) + 1);
}

/** ⌊value · factor · 2^k⌋. */
export function scaledDown({ numerator, denominator }: Rational, factor: bigint, k: number): bigint {
  return k >= 0
    ? floorDivide((numerator * factor) << BigInt(k), denominator)
    : floorDivide(numerator * factor, denominator << BigInt(-k));
}

/**
 * The cutoff for integers n with n / (factor · 2^k) < limit (≤ limit where `inclusive`): these are exactly the integers
 * below it. Infinite where all that the search can meet are on one side.
 */
export function integerCutoff(limit: Rational, factor: bigint, k: number, inclusive = false): number {
  const down = scaledDown(inclusive ? limit : limit.negate(), factor, k);
  const cutoff = inclusive ? down + 1n : -down;
  if (cutoff > MAX) return Number.POSITIVE_INFINITY;
  return cutoff < -MAX ? Number.NEGATIVE_INFINITY : Number(cutoff);
}

const MAX = 1n << 53n;

/** n / (factor · 2^k). */
export function unscaled(sum: number, factor: bigint, k: number): Rational {
  return k >= 0 ? Rational.of(BigInt(sum), factor << BigInt(k)) : Rational.of(BigInt(sum) << BigInt(-k), factor);
}

/** ⌊value / divisor⌋ of an integer, exact where the quotient itself would be rounded. */
export function floorOver(value: number, divisor: number): number {
  const rest = value % divisor;
  return (value - (rest < 0 ? rest + divisor : rest)) / divisor;
}
