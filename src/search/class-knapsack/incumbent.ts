import { evaluateLadder, type LadderPoint } from "../../program/ladder/evaluate.js";
import type { Ladder } from "../../program/ladder/ladder.js";
import { ExactIncumbent } from "../exact-incumbent.js";

/** The best feasible point known of a ladder; unit counts are offered. */
export class BestPoint extends ExactIncumbent<LadderPoint, Float64Array> {
  /** `complete` sets the auxiliaries that follow from the counts. */
  constructor(ladder: Ladder, complete: (counts: Float64Array) => LadderPoint) {
    super((counts) => {
      const point = complete(counts);
      return { ...evaluateLadder(ladder, point), point };
    });
  }
}
