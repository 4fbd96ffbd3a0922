import { decomposeDouble, Rational } from "./rational.js";

/**
 * An exact sum of doubles. Mantissas are added as integers for each exponent of two, and only the total becomes a
 * fraction: reducing one fraction per term would take most of the time.
 */
export class DoubleSum {
  readonly #mantissas = new Map<number, bigint>();

  /** Adds a value so many times. Throws `RangeError` for NaN and the infinities. */
  add(value: number, times = 1): void {
    const { mantissa, exponent } = decomposeDouble(value);
    const all = times === 1 ? mantissa : mantissa * BigInt(times);
    this.#mantissas.set(exponent, (this.#mantissas.get(exponent) ?? 0n) + all);
  }

  total(): Rational {
    let lowest = 0;
    for (const exponent of this.#mantissas.keys()) if (exponent < lowest) lowest = exponent;
    let sum = 0n;
    for (const [exponent, mantissa] of this.#mantissas) sum += mantissa << BigInt(exponent - lowest);
    return Rational.of(sum, 1n << BigInt(-lowest));
  }
}
