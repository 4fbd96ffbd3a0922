import { leastCommonMultiple, Rational } from "./rational.js";

/**
 * A sum of fractions that mostly have factors of their denominators in common: one is reduced, not one for each term.
 */
export class ExactSum {
  #numerator = 0n;
  #denominator = 1n;

  /** The denominator is positive; the fraction need not be in lowest terms. */
  add(numerator: bigint, denominator: bigint): void {
    if (denominator !== this.#denominator && this.#denominator % denominator !== 0n) {
      const common = leastCommonMultiple(this.#denominator, denominator);
      this.#numerator *= common / this.#denominator;
      this.#denominator = common;
    }
    this.#numerator += denominator === this.#denominator ? numerator : numerator * (this.#denominator / denominator);
  }

  /** The sum divided by a positive integer. */
  total(divisor = 1n): Rational {
    return Rational.of(this.#numerator, this.#denominator * divisor);
  }
}
