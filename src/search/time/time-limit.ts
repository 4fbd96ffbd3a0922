/** The time limit of a library function or a command. */
export interface TimeLimit {
  /** Seconds for reading, search and checking together; default 60. */
  readonly timeLimitSeconds?: number;
  /** How many of them were over before the call; default 0. */
  readonly spentSeconds?: number;
}

/** So many seconds there always are, so that something is found. */
const MOMENT = 0.05;

/** The seconds that are left of a limit, after reading took some. */
export function secondsLeft({ timeLimitSeconds = 60, spentSeconds = 0 }: TimeLimit, readSeconds = 0): number {
  return Math.max(MOMENT, timeLimitSeconds - spentSeconds - readSeconds);
}
