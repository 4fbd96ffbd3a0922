/** What checking may take beyond the time limit, where it takes longer than was foreseen: a share of the limit, and seconds. */
const GRACE_SHARE = 0.04;
const GRACE_SECONDS = 1;

/** What checking takes beside the search's estimate, until some was checked; and what is added to what that shows. */
const CHECKING = 1.3;
const CHECKING_SAFETY = 1.15;

/** An estimate of fewer milliseconds says nothing. */
const MIN_ESTIMATE = 50;

/** Thrown where the time for a piece of work is over, and caught by the budget that threw it. */
class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/** The time that a solve may take, checking included. */
export class TimeBudget {
  readonly #seconds: number;
  readonly #shouldStop: () => boolean;
  readonly #now: () => number;
  readonly #started: number;
  #checking = CHECKING;

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
    return this.#seconds - this.secondsUsed;
  }

  readonly isOver = (): boolean => this.secondsLeft <= 0 || this.#shouldStop();

  /** Whether so many seconds more are there. */
  affords(seconds: number): boolean {
    return !this.isOver() && seconds <= this.secondsLeft;
  }

  /** Whether there is the time to check what the search expects to take so many milliseconds, and so many seconds besides. */
  affordsChecking(milliseconds: number, besides = 0): boolean {
    return this.affords(besides + (this.#checking * milliseconds) / 1000);
  }

  /** Whether a check of so many seconds ends before it would be given up: see {@link checked}. */
  allowsCheck(seconds: number): boolean {
    return this.secondsUsed + seconds <= this.#seconds * (1 + GRACE_SHARE) + GRACE_SECONDS;
  }

  /** Learns from a check how far the search's estimates can be trusted. */
  hasChecked(milliseconds: number, seconds: number): void {
    if (milliseconds < MIN_ESTIMATE) return;
    this.#checking = Math.max(1, CHECKING_SAFETY * ((1000 * seconds) / milliseconds));
  }

  /** Does work that calls what it is given now and then, and is given up once the time is over: then `null`. */
  within<Result extends object>(work: (checkTime: () => void) => Result): Result | null {
    return this.#until(this.isOver, work);
  }

  /**
   * Checks what was proved. The search leaves the time for that; where it takes longer than was foreseen it may go on for
   * some time beyond the limit, and is then given up: `null`. Whoever asks the search to stop still gets its proof checked.
   */
  checked<Result extends object>(work: (checkTime: () => void) => Result): Result | null {
    return this.#until(() => !this.allowsCheck(0), work);
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
