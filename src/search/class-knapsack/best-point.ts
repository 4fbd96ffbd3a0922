import type { Rational } from "../../exact/rational.js";
import { evaluateLadder, type LadderPoint } from "../../program/ladder/evaluate.js";
import type { Ladder } from "../../program/ladder/ladder.js";

/** The best feasible point known of a ladder; every value in it was evaluated in exact arithmetic with zero tolerance. */
export class BestPoint {
  readonly #ladder: Ladder;
  readonly #complete: (counts: Float64Array) => LadderPoint;
  #point: LadderPoint | null = null;
  #value: Rational | null = null;

  /** `complete` sets the auxiliaries that follow from the counts. */
  constructor(ladder: Ladder, complete: (counts: Float64Array) => LadderPoint) {
    this.#ladder = ladder;
    this.#complete = complete;
  }

  get point(): LadderPoint | null {
    return this.#point;
  }

  get value(): Rational | null {
    return this.#value;
  }

  /** What a bound must reach for the relative gap to be closed; `null` while no point is known. */
  cutoff(gap: Rational): Rational | null {
    return this.#value === null ? null : this.#value.subtract(this.#value.absolute().multiply(gap));
  }

  /** Takes unit counts if they are feasible and better than what is known; says whether it did. */
  offer(counts: Float64Array): boolean {
    const point = this.#complete(counts);
    const { objective, violations } = evaluateLadder(this.#ladder, point);
    if (violations.length > 0) return false;
    if (this.#value !== null && objective.compare(this.#value) >= 0) return false;
    this.#point = point;
    this.#value = objective;
    return true;
  }
}
