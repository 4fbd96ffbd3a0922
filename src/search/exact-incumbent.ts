import type { Rational } from "../exact/rational.js";

/** A point that was offered, evaluated in exact arithmetic with zero tolerance. */
export interface Evaluated<Point> {
  readonly point: Point;
  readonly objective: Rational;
  /** Empty where the point is feasible. */
  readonly violations: readonly unknown[];
}

/** The bound that closes the relative gap to a value. */
export function cutoffOf(value: Rational, gap: Rational): Rational {
  return value.subtract(value.absolute().multiply(gap));
}

/**
 * The incumbent of a minimisation: the best feasible point known, its value evaluated in exact arithmetic. What is
 * offered may be less than a point, where the rest of one follows.
 */
export class ExactIncumbent<Point, Offered = Point> {
  readonly #evaluate: (offered: Offered, isBetter: (objective: Rational) => boolean) => Evaluated<Point> | null;
  #point: Point | null = null;
  #value: Rational | null;

  /**
   * `evaluate`: `null` where there is no such point, or none that is better. `below`: the value of a point that is known
   * elsewhere; only better ones are taken.
   */
  constructor(
    evaluate: (offered: Offered, isBetter: (objective: Rational) => boolean) => Evaluated<Point> | null,
    below: Rational | null = null,
  ) {
    this.#evaluate = evaluate;
    this.#value = below;
  }

  /** `null` also while nothing better than `below` is known. */
  get point(): Point | null {
    return this.#point;
  }

  get value(): Rational | null {
    return this.#value;
  }

  /** What a bound must reach for the relative gap to be closed; `null` while no point is known. */
  cutoff(gap: Rational): Rational | null {
    return this.#value === null ? null : cutoffOf(this.#value, gap);
  }

  /** Takes a point if it is feasible and better than what is known; says whether it did. */
  offer(offered: Offered): boolean {
    const isBetter = (objective: Rational) => this.#value === null || objective.compare(this.#value) < 0;
    const found = this.#evaluate(offered, isBetter);
    if (found === null || found.violations.length > 0 || !isBetter(found.objective)) return false;
    this.#point = found.point;
    this.#value = found.objective;
    return true;
  }
}
