import type { Progress } from "../search/branch-and-bound/search.js";
import type { TimeLimit } from "../search/time/time-limit.js";

/** What every problem that has a frontier may be asked. The time limit is for all points together. */
export interface FrontierOptions extends TimeLimit {
  /** Budgets of memory at which the optimum is looked for, beside the instance's own. Default 20. */
  readonly points?: number;
  /** Relative gap to prove at each; default 1e-9. */
  readonly gap?: number;
  /** The time that the work is shared out by; default the time limit. */
  readonly workSeconds?: number;
  /** Default 0. */
  readonly seed?: number;
  /** Of row tiers: break-points also as exact fractions. */
  readonly exact?: boolean;
  /** Asked between steps: `true` ends the search with the points that are solved by then. */
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: FrontierProgress) => void;
}

/** How far the search at one of the budgets has come. */
export interface FrontierProgress extends Progress {
  /** From 1 on. */
  readonly point: number;
  readonly points: number;
}

/** A frontier of any problem, with its proofs. */
export interface AnyFrontier {
  readonly shardproof: 1;
  readonly problem: string;
  readonly proofs: readonly object[];
}

/** Throws `RangeError` for a number of points that no frontier has. */
export function requirePoints(points: number): void {
  if (Number.isInteger(points) && points >= 0 && points !== 1) return;
  throw new RangeError(`0 points, or 2 or more, were expected, ${points} are asked for`);
}
