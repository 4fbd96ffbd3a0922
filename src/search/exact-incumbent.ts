import type { Rational } from "../exact/rational.js";

/** What evaluating a point in exact arithmetic with zero tolerance shows. */
export interface Evaluated {
  readonly objective: Rational;
  /** Empty where the point is feasible. */
  readonly violations: readonly unknown[];
}

/** The bound that closes the relative gap to a value. */
export function cutoffOf(value: Rational, gap: Rational): Rational {
  return value.subtract(value.absolute().multiply(gap));
}

/** The incumbent of a minimisation: the best feasible point known, its value evaluated in exact arithmetic. */
export class ExactIncumbent<Point> {
  #point: Point | null = null;
  #value: Rational | null;

  /** `below`: the value of a point that is known elsewhere; only better ones are taken. */
  constructor(below: Rational | null = null) {
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

  protected isBetter(objective: Rational): boolean {
    return this.#value === null || objective.compare(this.#value) < 0;
  }

  /** Takes a point if it is feasible and better than what is known; says whether it did. */
  protected take(point: Point, { objective, violations }: Evaluated): boolean {
    if (violations.length > 0 || !this.isBetter(objective)) return false;
    this.#point = point;
    this.#value = objective;
    return true;
  }
}
