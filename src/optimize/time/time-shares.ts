import { performance } from "node:perf_hooks";

/** What the search gets where a general solver is asked after it, which has the rest and what the search leaves. */
const SEARCH_TO_SOLVER = [2, 1];

/**
 * One time limit for pieces of work that come one after the other, shared by their weights: each gets its part of what is left
 * among those that are still to come, so that what one leaves over is the others'.
 */
export class TimeShares {
  readonly #deadline: number;
  readonly #weights: number[];

  /** `weights` are positive, one for each piece, in their order. */
  constructor(seconds: number, weights: readonly number[]) {
    this.#deadline = performance.now() + seconds * 1000;
    this.#weights = [...weights];
  }

  /** For a search, and where a general solver is to be asked as well, for that. */
  static ofSearch(seconds: number, isSolverAsked: boolean): TimeShares {
    return new TimeShares(seconds, isSolverAsked ? SEARCH_TO_SOLVER : [1]);
  }

  /** Seconds of the next piece; 0 once the time is over. Throws `RangeError` when there was no further piece. */
  next(): number {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const weight = this.#weights.shift();
    if (weight === undefined) throw new RangeError("there are no more pieces of work to share the time among");
    return (Math.max(0, this.#deadline - performance.now()) / 1000) * (weight / total);
  }
}
