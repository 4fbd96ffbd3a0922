import { decomposeDouble, Rational } from "../../../exact/rational.js";

/**
 * Σ rows · appearances, exact: mantissas are summed as integers for each exponent of two, and only the total becomes a
 * fraction, because reducing one fraction per class would take most of the time.
 */
export class AppearanceSum {
  readonly #mantissas = new Map<number, bigint>();

  /** `rows` is an integer; `appearances` is finite. */
  add(rows: number, appearances: number): void {
    const { mantissa, exponent } = decomposeDouble(appearances);
    this.#mantissas.set(exponent, (this.#mantissas.get(exponent) ?? 0n) + BigInt(rows) * mantissa);
  }

  total(): Rational {
    const lowest = Math.min(0, ...this.#mantissas.keys());
    let sum = 0n;
    for (const [exponent, mantissa] of this.#mantissas) sum += mantissa << BigInt(exponent - lowest);
    return Rational.of(sum, 1n << BigInt(-lowest));
  }
}
