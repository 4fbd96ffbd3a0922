/** Thrown where the time for a piece of work is over; never leaves this folder. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * The time that a solve may take. What the end of the solve will take, checking the best proof once more, is kept back
 * ({@link keep}): all but that is there to be used.
 */
export class TimeBudget {
  readonly #seconds: number;
  readonly #shouldStop: () => boolean;
  readonly #started = performance.now();
  #kept = 0;

  /** `shouldStop` ends the time at once. */
  constructor(timeLimitSeconds: number, shouldStop: () => boolean = () => false) {
    this.#seconds = timeLimitSeconds;
    this.#shouldStop = shouldStop;
  }

  get secondsUsed(): number {
    return (performance.now() - this.#started) / 1000;
  }

  get secondsLeft(): number {
    return this.#seconds - this.#kept - this.secondsUsed;
  }

  /** Seconds kept back. */
  get kept(): number {
    return this.#kept;
  }

  /** Keeps so many seconds back for the end, in place of those before. */
  keep(seconds: number): void {
    this.#kept = seconds;
  }

  readonly isOver = (): boolean => this.secondsLeft <= 0 || this.#shouldStop();

  /** Whether this share of the time is over. */
  isBeyond(share: number): boolean {
    return this.isOver() || this.secondsLeft < (1 - share) * this.#seconds;
  }

  /** Whether so many seconds more are there. */
  affords(seconds: number): boolean {
    return !this.isOver() && seconds <= this.secondsLeft;
  }

  /** Does work that calls what it is given now and then, and is given up once a share of the time is over: then `null`. */
  within<Result extends object>(share: number, work: (checkTime: () => void) => Result): Result | null {
    try {
      return work(() => {
        if (this.isBeyond(share)) throw new OutOfTime();
      });
    } catch (error) {
      if (error instanceof OutOfTime) return null;
      throw error;
    }
  }
}
