import type { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { Without } from "../../../search/strategies.js";

/** What to solve a grouping with. */
export interface GroupingRequest {
  /** Feasible labelings to start from: the cluster 0 … clusters−1 of each element. */
  readonly starts: readonly (readonly number[])[];
  /** Relative gap to prove. */
  readonly gap: Rational;
  readonly timeLimitSeconds: number;
  /** What work is shared out by; default the time limit. */
  readonly workSeconds?: number;
  /** Units of work after which it ends; none by default. */
  readonly mostUnits?: number;
  readonly seed: number;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: GroupingProgress) => void;
  /** Names of {@link TOWER_STRATEGIES} to leave out. */
  readonly without?: Without;
}

export interface GroupingProgress {
  /** Least value so far; `null` before there is one. */
  readonly incumbent: number | null;
  readonly bound: number | null;
  readonly seconds: number;
}

/** What is known of a grouping when the search ends. */
export interface GroupingSolution {
  /** `null` where no time was left for any bound. */
  readonly verdict: Verdict | null;
  readonly certificate: Certificate | null;
  /**
   * The cluster of each element, clusters numbered in the order of their first elements; `null` where none was found.
   */
  readonly labels: readonly number[] | null;
  /** Units of work that the search took. */
  readonly units: number;
  /** Seconds of checking. */
  readonly proveSeconds: number;
}
