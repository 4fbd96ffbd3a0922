import { firstFrom } from "../../../exact/first-from.js";
import type { Rational } from "../../../exact/rational.js";

/** A plan's, or a break-point's, memory in bytes per GPU and its seconds per iteration. */
export interface CurvePoint {
  readonly bytes: Rational;
  readonly seconds: Rational;
}

/** A frontier came out that is not convex: a fault of this program. */
export class ConvexityError extends Error {
  override readonly name = "ConvexityError";
}

/**
 * A convex, falling, piecewise linear function of memory, by its break-points: from the least memory on, level after the
 * last. Break-points rise in bytes and fall in seconds; they are made only when asked for.
 */
export class ConvexCurve {
  /** How many break-points there are, at least one. */
  readonly count: number;
  readonly #at: (k: number) => CurvePoint;
  readonly #numbers: (k: number) => { readonly bytes: number; readonly seconds: number };

  /** `numbers` gives the doubles next to what `at` gives, where that is quicker than by way of it. */
  constructor(
    count: number,
    at: (k: number) => CurvePoint,
    numbers: (k: number) => { readonly bytes: number; readonly seconds: number } = (k) => {
      const { bytes, seconds } = at(k);
      return { bytes: bytes.toNumber(), seconds: seconds.toNumber() };
    },
  ) {
    this.count = count;
    this.#at = at;
    this.#numbers = numbers;
  }

  /** Break-point k, exactly. */
  at(k: number): CurvePoint {
    return this.#at(k);
  }

  /** Break-point k in the nearest doubles. */
  numbersAt(k: number): { readonly bytes: number; readonly seconds: number } {
    return this.#numbers(k);
  }

  /** The break-point of least memory. */
  get first(): CurvePoint {
    return this.#at(0);
  }

  /** The one from which on more memory is of no use. */
  get last(): CurvePoint {
    return this.#at(this.count - 1);
  }

  /** The curve's seconds at a memory, exactly; `null` below the least memory. */
  valueAt(bytes: Rational): Rational | null {
    if (bytes.compare(this.first.bytes) < 0) return null;
    // The last break-point at or below `bytes`.
    const low = firstFrom(this.count, (k) => this.#at(k).bytes.compare(bytes) > 0) - 1;
    const from = this.#at(low);
    if (low === this.count - 1) return from.seconds;
    const to = this.#at(low + 1);
    const share = bytes.subtract(from.bytes).divide(to.bytes.subtract(from.bytes));
    return from.seconds.add(share.multiply(to.seconds.subtract(from.seconds)));
  }
}
