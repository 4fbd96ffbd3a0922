/** What checking may take beyond the time limit, where it takes longer than was foreseen: a share of the limit, and seconds. */
const GRACE_SHARE = 0.04;
const GRACE_SECONDS = 1;

/** Thrown where the time for a piece of work is over, and caught by the budget that threw it. */
class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * The time that a solve may take. What the end of the solve will take, checking the best proof once more, is kept back
 * ({@link keep}): all but that is there to be used.
 */
export class TimeBudget {
  readonly #seconds: number;
  readonly #shouldStop: () => boolean;
  readonly #now: () => number;
  readonly #started: number;
  #kept = 0;

  /** `shouldStop` ends the time at once; `now`: a clock, in milliseconds. */
  constructor(
    timeLimitSeconds: number,
    shouldStop: () => boolean = () => false,
    now: () => number = () => performance.now(),
  ) {
    this.#seconds = timeLimitSeconds;
    this.#shouldStop = shouldStop;
    this.#now = now;
    this.#started = now();
  }

  get secondsUsed(): number {
    return (this.#now() - this.#started) / 1000;
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
    return this.#until(() => this.isBeyond(share), work);
  }

  /**
   * Checks what was proved. The search leaves the time for that; where it takes longer than was foreseen it may go on for
   * some time beyond the limit, and is then given up: `null`. Whoever asks the search to stop still gets its proof checked.
   */
  checked<Result extends object>(work: (checkTime: () => void) => Result): Result | null {
    const most = this.#seconds * (1 + GRACE_SHARE) + GRACE_SECONDS;
    return this.#until(() => this.secondsUsed > most, work);
  }

  #until<Result extends object>(isOver: () => boolean, work: (checkTime: () => void) => Result): Result | null {
    const late = new OutOfTime();
    try {
      return work(() => {
        if (isOver()) throw late;
      });
    } catch (error) {
      if (error === late) return null;
      throw error;
    }
  }
}
