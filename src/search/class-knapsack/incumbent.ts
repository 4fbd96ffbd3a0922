import { evaluateLadder, type LadderPoint } from "../../program/ladder/evaluate.js";
import type { Ladder } from "../../program/ladder/ladder.js";
import { ExactIncumbent } from "../exact-incumbent.js";

/** The best feasible point known of a ladder. */
export class BestPoint extends ExactIncumbent<LadderPoint> {
  readonly #ladder: Ladder;
  readonly #complete: (counts: Float64Array) => LadderPoint;

  /** `complete` sets the auxiliaries that follow from the counts. */
  constructor(ladder: Ladder, complete: (counts: Float64Array) => LadderPoint) {
    super();
    this.#ladder = ladder;
    this.#complete = complete;
  }

  /** Takes unit counts if they are feasible and better than what is known; says whether it did. */
  offer(counts: Float64Array): boolean {
    const point = this.#complete(counts);
    return this.take(point, evaluateLadder(this.#ladder, point));
  }
}
