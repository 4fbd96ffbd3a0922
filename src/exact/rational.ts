/** Digits of a written integer; a greatest common divisor of two of them takes seconds. */
export const MAX_DIGITS = 20_000;

/** The powers of ten of a written decimal, up and down; doubles written out in full reach 10^-1074. */
export const MAX_EXPONENT = 5000;

/** The least positive double is two to the power of this. */
export const LEAST_EXPONENT = -1074;

/**
 * Rational numbers on bigint: the arithmetic in which this program decides.
 *
 * A `Rational` is an immutable fraction in lowest terms with a positive denominator, so two equal numbers have equal
 * fields. Every finite double is a rational; {@link Rational.fromNumber} converts it without loss.
 */
export class Rational {
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  static readonly zero = new Rational(0n, 1n);
  static readonly one = new Rational(1n, 1n);

  /** The fraction `numerator / denominator`, reduced. Throws `RangeError` when the denominator is zero. */
  static of(numerator: bigint, denominator = 1n): Rational {
    if (denominator === 1n) return new Rational(numerator, 1n);
    if (denominator === 0n) throw new RangeError("a rational number needs a denominator other than zero");
    if (denominator < 0n) return Rational.of(-numerator, -denominator);
    const divisor = greatestCommonDivisor(numerator, denominator);
    return new Rational(numerator / divisor, denominator / divisor);
  }

  /** The exact value of a double. Throws `RangeError` for NaN and the infinities. */
  static fromNumber(value: number): Rational {
    if (Number.isSafeInteger(value)) return new Rational(BigInt(value), 1n);
    const { mantissa, exponent } = decomposeDouble(value);
    // An odd number over a power of two is in lowest terms.
    return exponent >= 0
      ? new Rational(mantissa << BigInt(exponent), 1n)
      : new Rational(mantissa, 1n << BigInt(-exponent));
  }

  /**
   * The exact value of a written number: an integer (`12`), a decimal (`-0.1`, `2.5e-3`: read as tenths, not as the
   * nearest double), or a fraction of integers (`1/3`). Throws `SyntaxError` for anything else, and `RangeError` for a
   * zero denominator, and beyond {@link MAX_DIGITS} and {@link MAX_EXPONENT}, before any power of ten is computed.
   */
  static parse(text: string): Rational {
    // A sign, a point, a slash and an exponent beside the digits of two integers.
    if (text.length > 2 * MAX_DIGITS + 20) throw new RangeError(`it has more than ${MAX_DIGITS} digits`);
    // Most numbers of a certificate are integers.
    if (/^-?\d+$/.test(text)) return new Rational(BigInt(text), 1n);
    const fraction = /^([+-]?\d+)\/(\d+)$/.exec(text);
    if (fraction) return Rational.of(BigInt(fraction[1] as string), BigInt(fraction[2] as string));
    const decimal = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eEdD]([+-]?\d+))?$/.exec(text);
    if (!decimal) throw new SyntaxError(`"${text}" is not a number`);
    const whole = decimal[2] ?? "";
    const tenths = decimal[3] ?? decimal[4] ?? "";
    const exponent = Number(decimal[5] ?? "0") - tenths.length;
    if (Math.abs(exponent) > MAX_EXPONENT) throw new RangeError(`"${text}" has an exponent beyond ${MAX_EXPONENT}`);
    const digits = BigInt(whole + tenths) * (decimal[1] === "-" ? -1n : 1n);
    if (digits === 0n) return Rational.zero;
    return exponent >= 0
      ? new Rational(digits * 10n ** BigInt(exponent), 1n)
      : Rational.of(digits, 10n ** BigInt(-exponent));
  }

  add(other: Rational): Rational {
    // A fraction in lowest terms and an integer have a sum in lowest terms.
    if (other.denominator === 1n && this.denominator === 1n) return new Rational(this.numerator + other.numerator, 1n);
    if (other.denominator === 1n)
      return new Rational(this.numerator + other.numerator * this.denominator, this.denominator);
    if (this.denominator === 1n) return other.add(this);
    if (this.denominator === other.denominator) {
      return Rational.of(this.numerator + other.numerator, this.denominator);
    }
    return Rational.of(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  subtract(other: Rational): Rational {
    return this.add(other.negate());
  }

  multiply(other: Rational): Rational {
    if (this.denominator === 1n && other.denominator === 1n) return new Rational(this.numerator * other.numerator, 1n);
    // What is in lowest terms has common factors only across: smaller numbers to look for them in than the products.
    const one = this.denominator === 1n ? 1n : greatestCommonDivisor(other.numerator, this.denominator);
    const two = other.denominator === 1n ? 1n : greatestCommonDivisor(this.numerator, other.denominator);
    if (one === 1n && two === 1n) {
      return new Rational(this.numerator * other.numerator, this.denominator * other.denominator);
    }
    return new Rational(
      (this.numerator / two) * (other.numerator / one),
      (this.denominator / one) * (other.denominator / two),
    );
  }

  /** Throws `RangeError` when `other` is zero. */
  divide(other: Rational): Rational {
    return Rational.of(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  negate(): Rational {
    return new Rational(-this.numerator, this.denominator);
  }

  absolute(): Rational {
    return this.numerator < 0n ? this.negate() : this;
  }

  /** Negative, zero or positive as `this` is below, equal to or above `other`. */
  compare(other: Rational): number {
    const isLike = this.denominator === other.denominator;
    const left = isLike ? this.numerator : this.numerator * other.denominator;
    const right = isLike ? other.numerator : other.numerator * this.denominator;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: Rational): boolean {
    return this.numerator === other.numerator && this.denominator === other.denominator;
  }

  /** −1, 0 or 1. */
  sign(): number {
    return this.numerator < 0n ? -1 : this.numerator > 0n ? 1 : 0;
  }

  isInteger(): boolean {
    return this.denominator === 1n;
  }

  /** The largest integer at most this number. */
  floor(): bigint {
    return floorDivide(this.numerator, this.denominator);
  }

  /** The smallest integer at least this number. */
  ceil(): bigint {
    return -floorDivide(-this.numerator, this.denominator);
  }

  /** The nearest double (ties to even); beyond the range of doubles, an infinity. */
  toNumber(): number {
    return nearestDouble(this.numerator, this.denominator);
  }

  /** The largest double at most this number: how a lower bound is printed without claiming more than was proved. */
  toNumberDown(): number {
    return doubleBelow(this.numerator, this.denominator);
  }

  /** The smallest double at least this number. */
  toNumberUp(): number {
    // Subtracted from zero rather than negated, so that zero is not printed as -0.
    return 0 - this.negate().toNumberDown();
  }

  /** `"3"` or `"-1/3"`: what {@link Rational.parse} reads back. */
  toString(): string {
    return this.denominator === 1n ? this.numerator.toString() : `${this.numerator}/${this.denominator}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A fraction as a double, within two roundings, whose parts may be beyond doubles; the denominator is positive. */
export function doubleNear(numerator: bigint, denominator: bigint): number {
  const quotient = Number(numerator) / Number(denominator);
  return Number.isFinite(quotient) && quotient !== 0 ? quotient : nearestDouble(numerator, denominator);
}

/** The double nearest to a fraction, which need not be in lowest terms; its denominator is positive. */
export function nearestDouble(numerator: bigint, denominator: bigint): number {
  if (denominator === 1n) return Number(numerator);
  if (denominator <= MAX_SAFE && numerator <= MAX_SAFE && numerator >= -MAX_SAFE) {
    // Both are doubles, so that their quotient is rounded once.
    return Number(numerator) / Number(denominator);
  }
  if (numerator < 0n) return -nearestDouble(-numerator, denominator);
  const magnitude = bitLength(numerator) - bitLength(denominator);
  // Above 2^-1022 a double has 53 bits: a 66-bit quotient with a sticky last bit rounds as the exact value does, and
  // rounds once. Below, bits exist only down to 2^-1074, and the quotient stops, already rounded, at the last of
  // them.
  const normal = magnitude >= -1021;
  const shift = normal ? 66 - magnitude : 1074;
  const scaledNumerator = shift >= 0 ? numerator << BigInt(shift) : numerator;
  const scaledDenominator = shift >= 0 ? denominator : denominator << BigInt(-shift);
  let quotient = scaledNumerator / scaledDenominator;
  const remainder = scaledNumerator % scaledDenominator;
  if (normal) {
    if (remainder !== 0n) quotient |= 1n;
  } else {
    const twice = remainder * 2n;
    if (twice > scaledDenominator || (twice === scaledDenominator && (quotient & 1n) === 1n)) quotient += 1n;
  }
  return scaleByPowerOfTwo(Number(quotient), -shift);
}

/** The largest double at most a fraction, which need not be in lowest terms; its denominator is positive. */
export function doubleBelow(numerator: bigint, denominator: bigint): number {
  const nearest = nearestDouble(numerator, denominator);
  if (!Number.isFinite(nearest)) return nearest > 0 ? Number.MAX_VALUE : nearest;
  const exact = Rational.fromNumber(nearest);
  return exact.numerator * denominator > numerator * exact.denominator ? nextDown(nearest) : nearest;
}

/** Greatest common divisor of two integers, not negative; `gcd(0, 0) = 0`. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  let lehmer: EuclideanSteps | null = null;
  while (y !== 0n) {
    // Native doubles are several times faster than bigint once both operands fit.
    if (x <= MAX_SAFE && y <= MAX_SAFE) return BigInt(smallGreatestCommonDivisor(Number(x), Number(y)));
    if (y >= LONG && x >= y) lehmer ??= new EuclideanSteps(x);
    const steps = y >= LONG && lehmer !== null ? lehmer.next(x, y) : null;
    if (steps === null) [x, y] = [y, x % y];
    else [x, y] = [steps.a * x + steps.b * y, steps.c * x + steps.d * y];
  }
  return x;
}

/**
 * Several steps of Euclid's algorithm at once: those that the leading 50 bits of two long numbers decide, as a matrix.
 * One multiplication of long numbers does for some fifteen divisions (Lehmer 1938; Knuth, section 4.5.2, algorithm L).
 */
export class EuclideanSteps {
  /** How many bits of the larger number are left out: fewer with every step. */
  #shift: number;

  /** `largest`: at least as large as all numbers to come. */
  constructor(largest: bigint) {
    this.#shift = Math.max(0, bitLength(largest) - LEADING);
  }

  /** (x, y), with x ≥ y > 0, becomes (a·x + b·y, c·x + d·y). `null` where the leading bits decide nothing. */
  next(x: bigint, y: bigint): { a: bigint; b: bigint; c: bigint; d: bigint } | null {
    let p = Number(x >> BigInt(this.#shift));
    while (p < 2 ** (LEADING - 4) && this.#shift > 0) {
      this.#shift = Math.max(0, this.#shift - LEADING + Math.ceil(Math.log2(p + 1)));
      p = Number(x >> BigInt(this.#shift));
    }
    let q = Number(y >> BigInt(this.#shift));
    // The quotient stands while it is that of all numbers with these leading bits. Signs alternate: kept apart, so that
    // all four are positive.
    let a = 1;
    let b = 0;
    let c = 0;
    let d = 1;
    let isOdd = false;
    while (q !== c) {
      const quotient = Math.floor((p + (a - 1)) / (q - c));
      const e = b + quotient * d;
      const rest = p - quotient * q;
      if (e > rest) break;
      p = q;
      q = rest;
      const f = a + quotient * c;
      a = d;
      b = c;
      c = e;
      d = f;
      isOdd = !isOdd;
    }
    if (c === 0) return null;
    return isOdd
      ? { a: BigInt(-b), b: BigInt(a), c: BigInt(d), d: BigInt(-c) }
      : { a: BigInt(a), b: BigInt(-b), c: BigInt(-c), d: BigInt(d) };
  }
}

/** Least common multiple of two positive integers. */
export function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

/** Quotient rounded towards minus infinity; the divisor is positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** A finite double as `mantissa · 2^exponent` with an odd mantissa, 0 as `0 · 2^0`. Throws `RangeError` when it is not finite. */
export function decomposeDouble(value: number): { mantissa: bigint; exponent: number } {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no exact rational value`);
  if (value === 0) return { mantissa: 0n, exponent: 0 };
  doubleView.setFloat64(0, value);
  const [high, low] = [doubleView.getUint32(0), doubleView.getUint32(4)];
  const biased = (high >>> 20) & 0x7ff;
  const top = (high & 0xf_ffff) | (biased === 0 ? 0 : 0x10_0000);
  // One bigint alone is made of it: they are much slower than doubles, and all that is done here is exact in these.
  const zeros = low === 0 ? 32 + trailingZeros(top) : trailingZeros(low);
  const magnitude = (top * 2 ** 32 + low) / 2 ** zeros;
  return { mantissa: BigInt(value < 0 ? -magnitude : magnitude), exponent: Math.max(biased, 1) - 1075 + zeros };
}

/** Of an integer of 32 bits that is not 0. */
function trailingZeros(value: number): number {
  return 31 - Math.clz32(value & -value);
}

/** Number of bits of a non-negative integer. */
export function bitLength(value: bigint): number {
  const double = Number(value);
  if (double < 2 ** 32) return 32 - Math.clz32(double);
  if (double < 2 ** 53) return 64 - Math.clz32(double / 2 ** 32);
  const hex = value.toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex[0] as string, 16)));
}

/** Below this, divisions are as fast as taking several at once. */
const LONG = 1n << 128n;

/** Leading bits at which {@link EuclideanSteps} looks: their sums and products stay exact in doubles. */
const LEADING = 50;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const doubleView = new DataView(new ArrayBuffer(8));

function smallGreatestCommonDivisor(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function scaleByPowerOfTwo(value: number, exponent: number): number {
  let result = value;
  let left = exponent;
  // Steps small enough that no intermediate factor under- or overflows before the result itself does.
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  return result * 2 ** left;
}

function nextDown(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  doubleView.setFloat64(0, value);
  const bits = doubleView.getBigUint64(0);
  doubleView.setBigUint64(0, value > 0 ? bits - 1n : bits + 1n);
  return doubleView.getFloat64(0);
}
