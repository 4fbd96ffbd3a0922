import { performance } from "node:perf_hooks";

/** What the search gets where a general solver is asked after it, which has the rest and what the search leaves. */
const SEARCH_TO_SOLVER = [2, 1];

/** The share of all work that the methods may do that a search starts from: far more than they mostly need. */
export const START_SHARE = 0.25;

/** What methods that are shown beside an answer get after it, where the search leaves nothing: this share of what came before. */
const BESIDE_SHARE = 0.05;

/**
 * One time limit for pieces of work that come one after the other, shared by their weights: each gets its part of what is left
 * among those that are still to come, so that what one leaves over is the others'.
 */
export class TimeShares {
  readonly #deadline: number;
  readonly #weights: number[];
  readonly #now: () => number;

  /**
   * `weights` are positive, one for each piece, in their order; last come methods beside the answer, where there are any.
   * `now`: a clock in milliseconds, or units of work done.
   */
  constructor(
    seconds: number,
    weights: readonly number[],
    areMethodsBeside = false,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#deadline = now() + seconds * 1000;
    const beside = BESIDE_SHARE * weights.reduce((sum, weight) => sum + weight, 0);
    this.#weights = areMethodsBeside ? [...weights, beside] : [...weights];
  }

  /** For a search, and where a general solver is to be asked as well, for that. */
  static ofSearch(seconds: number, isSolverAsked: boolean, areMethodsBeside = false): TimeShares {
    return new TimeShares(seconds, isSolverAsked ? SEARCH_TO_SOLVER : [1], areMethodsBeside);
  }

  /** Seconds of the next piece; 0 once the time is over. Throws `RangeError` when there was no further piece. */
  next(): number {
    const total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    const weight = this.#weights.shift();
    if (weight === undefined) throw new RangeError("there are no more pieces of work to share the time among");
    return (Math.max(0, this.#deadline - this.#now()) / 1000) * (weight / total);
  }
}
