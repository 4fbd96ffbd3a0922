import { Rational } from "../../../exact/rational.js";

/**
 * The double nearest to numerator / denominator (0 or more, above 0). As `Rational.of(…).toNumber()`, without the common
 * divisor that a fraction in lowest terms needs, which costs most of the time where there are very many.
 */
export function nearestQuotient(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const size = Math.log2(Number(numerator) / Number(denominator));
  if (!(Math.abs(size) < 900)) return Rational.of(numerator, denominator).toNumber();
  // At least 65 bits and a last one that stands for all that follow: rounded once.
  const shift = 66 - Math.floor(size);
  const dividend = shift >= 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift >= 0 ? denominator : denominator << BigInt(-shift);
  const quotient = dividend / divisor;
  const rounded = Number(quotient * divisor === dividend ? quotient : quotient | 1n);
  return shift > 1000 ? rounded * 2 ** -500 * 2 ** (500 - shift) : rounded * 2 ** -shift;
}
