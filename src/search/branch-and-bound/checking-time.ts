import type { Step } from "../../proof/certificate.js";

/** A character of multipliers, in milliseconds: read, put into a digest, passed between threads, written. */
const MILLISECONDS_PER_CHARACTER = 1e-4;

/**
 * About how long the checker will take for the steps that a search has recorded. Search and checker do the same exact
 * arithmetic, so that it is told from what that took in the search; what the search did in doubles, and exact work that
 * came to no step, does not count.
 */
export class CheckingTime {
  readonly #now: () => number;
  /** Of what narrows nodes. */
  #narrowing = 0;
  #bounds = 0;
  #boundMilliseconds = 0;
  /** Steps with multipliers, and the length of these. */
  #priced = 0;
  #characters = 0;

  /** `now`: a clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does a bound's arithmetic, which the checker repeats where the bound is used. */
  ofBound<Result>(work: () => Result): Result {
    const started = this.#now();
    const result = work();
    this.#boundMilliseconds += this.#now() - started;
    this.#bounds++;
    return result;
  }

  /** Does work that narrows a node; it counts where it led to a step. */
  ofNarrowing<Result>(work: () => Result, isStep: (result: Result) => boolean): Result {
    const started = this.#now();
    const result = work();
    if (isStep(result)) this.#narrowing += this.#now() - started;
    return result;
  }

  /** A step with multipliers was recorded. */
  count(step: Step): void {
    const [multipliers] = Object.values(step) as [Record<string, string>];
    this.#priced++;
    for (const [row, value] of Object.entries(multipliers)) this.#characters += row.length + value.length;
  }

  /** Milliseconds for the steps so far, and one for each leaf that is still open. */
  withOpen(leaves: number): number {
    const perBound = this.#bounds === 0 ? 0 : this.#boundMilliseconds / this.#bounds;
    const perText = this.#priced === 0 ? 0 : (MILLISECONDS_PER_CHARACTER * this.#characters) / this.#priced;
    return this.#narrowing + (this.#priced + leaves) * (perBound + perText);
  }
}
