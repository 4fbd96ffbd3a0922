import { bitLength, leastCommonMultiple, Rational } from "../exact/rational.js";

/**
 * From this absolute value on, a column bound written as a number means "no bound" in MPS and LP files. (HiGHS and
 * CPLEX draw the line at 1e20; the bound 1e20 is read here as the number it is.)
 */
export const INFINITE_BOUND = Rational.of(10n ** 30n);

const LARGEST_BOUND = Rational.of(10n ** 30n - 1n);

/** Digits kept of a bound that is no finite decimal. */
const ROUNDED_DIGITS = 40;

/** Whether a number can be written with finitely many decimal digits: 2 and 5 alone divide its denominator. */
export function isFiniteDecimal(value: Rational): boolean {
  return value.denominator === 1n || decimalPlaces(value.denominator) !== null;
}

/**
 * The exact decimal text of a number, every digit of it: `-12`, `0.1`, and `25e-30` where plain digits would be mostly
 * zeros. `null` when no finite decimal exists.
 */
export function decimalText(value: Rational): string | null {
  if (value.denominator === 1n) {
    const text = value.numerator.toString();
    const zeros = /0{21,}$/.exec(text);
    return zeros ? `${text.slice(0, zeros.index)}e${zeros[0].length}` : text;
  }
  const places = decimalPlaces(value.denominator);
  if (places === null) return null;
  const sign = value.numerator < 0n ? "-" : "";
  const digits = ((value.absolute().numerator * 10n ** BigInt(places)) / value.denominator).toString();
  if (places > digits.length + 15) return `${sign}${digits}e-${places}`;
  const padded = digits.padStart(places + 1, "0");
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/**
 * The smallest number a row is multiplied by so that it can be written: 1 when all its numbers are finite decimals,
 * otherwise the integer that turns them all into integers.
 */
export function writableScale(denominators: readonly bigint[]): bigint {
  if (denominators.every((denominator) => denominator === 1n || decimalPlaces(denominator) !== null)) return 1n;
  return denominators.reduce(leastCommonMultiple, 1n);
}

/**
 * What a file can say of a column's bound: the bound itself where it is a finite decimal below {@link INFINITE_BOUND};
 * otherwise the bound moved outwards (a lower bound down, an upper bound up) to some 40 digits, or dropped (`null`). A
 * program with outward bounds is a relaxation: what is proved of it as a bound holds for the original too.
 */
export function outwardBound(value: Rational | null, side: "lower" | "upper"): Rational | null {
  if (value === null) return null;
  if (side === "lower") {
    const mirrored = outwardBound(value.negate(), "upper");
    return mirrored === null ? null : mirrored.negate();
  }
  if (value.compare(INFINITE_BOUND) >= 0) return null;
  if (value.negate().compare(INFINITE_BOUND) >= 0) return LARGEST_BOUND.negate();
  if (isFiniteDecimal(value)) return value;
  // Below 10^30 in absolute value, so that at least ten of the digits stand after the point.
  const integerDigits = Math.ceil(
    (bitLength(value.absolute().numerator) - bitLength(value.denominator)) * Math.log10(2),
  );
  const scale = 10n ** BigInt(ROUNDED_DIGITS - integerDigits);
  const rounded = Rational.of(value.multiply(Rational.of(scale)).ceil(), scale);
  return rounded.compare(INFINITE_BOUND) >= 0 ? null : rounded;
}

/** How many decimal places 1/denominator has; `null` when infinitely many. */
function decimalPlaces(denominator: bigint): number | null {
  const twos = bitLength(denominator & -denominator) - 1;
  let rest = denominator >> BigInt(twos);
  let fives = 0;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}
