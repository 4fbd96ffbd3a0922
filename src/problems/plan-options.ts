import type { Progress } from "../search/branch-and-bound/search.js";
import type { Without } from "../search/strategies.js";
import type { TimeLimit } from "../search/time/time-limit.js";
import type { OwnMethod } from "./own-method.js";

/** What every problem may be asked. */
export interface PlanOptions extends TimeLimit {
  /** One of the problem's methods; default `optimal`. */
  readonly method?: string;
  /** Relative gap to prove, below 1; default 1e-9. 0 asks for the exact optimum. */
  readonly gap?: number;
  /**
   * Most work of the search, in seconds as work is counted (a thousand units each, about a second of one core): the same input
   * then ends at the same step on every machine, where the time limit does not end it first. Default: no limit but time's.
   */
  readonly workLimitSeconds?: number;
  /** Default 0. The exact method uses no random numbers; a general solver that is asked may. */
  readonly seed?: number;
  /** A general solver to ask about the same program; its claim is compared with what was proved. */
  readonly solver?: string;
  /** Asked between steps of the search: `true` ends it with the best proved so far. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Strategies of the exact method to do without, asked as each has its turn, to measure what it is good for; and `EXTRAS` of plan files. */
  readonly without?: Without;
  /** Reads standard input, where the instance is `-`. */
  readonly standardInput?: () => Promise<string>;
}

/** What a comparison may be asked. */
export interface CompareOptions extends Omit<PlanOptions, "method"> {
  /** Methods of somebody's own, compared after the published ones. */
  readonly own?: readonly OwnMethod[];
}
