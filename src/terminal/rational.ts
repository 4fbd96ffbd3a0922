import { Rational } from "../exact/rational.js";

/** Which way a number that is cut off is rounded. */
export type Rounding = "nearest" | "down" | "up";

const DIGITS = 10;
const LONGEST_FRACTION = 21;

/** A number as a person reads it. */
export interface Shown {
  readonly text: string;
  /** The text is all of it. */
  readonly exact: boolean;
  /** Where it is not: the fraction, if that is short. */
  readonly fraction: string | null;
}

/** Integers in full, decimals in full where they end soon, otherwise ten significant digits. */
export function shownRational(value: Rational, rounding: Rounding = "nearest"): Shown {
  if (value.isInteger()) return { text: integerText(value.numerator), exact: true, fraction: null };
  const { text, exact } = decimalText(value, rounding);
  const whole = value.toString();
  return { text, exact, fraction: exact || whole.length > LONGEST_FRACTION ? null : whole };
}

/** The same in one text: `≈ 0.3333333333 (1/3)`; rounded to one side, without what says that it is cut off. */
export function rationalText(value: Rational, rounding: Rounding = "nearest"): string {
  const { text, exact, fraction } = shownRational(value, rounding);
  if (exact || rounding !== "nearest") return text;
  return `≈ ${text}${fraction === null ? "" : ` (${fraction})`}`;
}

/** Thousands separated; beyond 30 digits, how many there are. */
function integerText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString();
  const sign = value < 0n ? "−" : "";
  if (digits.length > 30) return `${sign}${digits.slice(0, 10)}… (${digits.length} digits)`;
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

function decimalText(value: Rational, rounding: Rounding): { text: string; exact: boolean } {
  const magnitude = decimalMagnitude(value.absolute());
  // Far from 1 an exponent says more than a row of zeros.
  if (magnitude < -5 || magnitude > 15) return { text: exponentText(value, rounding, magnitude), exact: false };
  const decimals = Math.max(0, DIGITS - 1 - magnitude);
  const scaled = value.multiply(Rational.of(10n ** BigInt(decimals)));
  const units = round(scaled, rounding);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = integerText(BigInt(digits.slice(0, digits.length - decimals)));
  const rest = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  return {
    text: `${units < 0n ? "−" : ""}${whole}${rest === "" ? "" : `.${rest}`}`,
    exact: scaled.isInteger(),
  };
}

function exponentText(value: Rational, rounding: Rounding, magnitude: number): string {
  const shift = DIGITS - 1 - magnitude;
  const power = Rational.of(10n ** BigInt(Math.abs(shift)));
  const units = round(shift < 0 ? value.divide(power) : value.multiply(power), rounding);
  const digits = (units < 0n ? -units : units).toString();
  const rest = digits.slice(1).replace(/0+$/, "");
  const exponent = digits.length - 1 - shift;
  return `${units < 0n ? "−" : ""}${digits[0]}${rest === "" ? "" : `.${rest}`}e${exponent}`;
}

function round(value: Rational, rounding: Rounding): bigint {
  if (rounding === "down") return value.floor();
  if (rounding === "up") return value.ceil();
  return value.add(Rational.of(1n, 2n)).floor();
}

/** The exponent of the leading decimal digit, to within one. */
function decimalMagnitude({ numerator, denominator }: Rational): number {
  return numerator.toString().length - denominator.toString().length;
}
