import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { Progress } from "../../../search/branch-and-bound/search.js";
import type { Without } from "../../../search/strategies.js";
import type { BoundedProgram, Judge } from "./known-plans.js";

export interface SolvePlacementOptions {
  /** Relative gap to prove. */
  readonly gap: Rational;
  readonly timeLimitSeconds: number;
  /** How much worse the goal may become for those after it, as a share: a gap far below that is good enough. Default: nothing. */
  readonly allowed?: Rational;
  /** The time limit that was asked for, which work is shared out by, where reading and others took some; default the one above. */
  readonly workSeconds?: number;
  /** Units of work after which it ends; none by default. */
  readonly mostUnits?: number;
  readonly seed: number;
  /** Placements to begin from; those that break a limit are passed over. */
  readonly starts?: readonly Placement[];
  /** Local search has been at the starts. */
  readonly isBegun?: boolean;
  /** Devices of the problem stand for hosts. */
  readonly isOfHosts?: boolean;
  /** Whether a placement of the program is one that is asked for; default: all are. */
  readonly isTaken?: (placement: Placement) => boolean;
  /** What a placement comes to in what the problem was made from; default: in the problem. */
  readonly judge?: Judge;
  /** Whether bounds may be of the aggregated program, and of the counted one or that of numbered devices; default: of the direct one alone. */
  readonly takesAggregated?: boolean;
  readonly takesCounted?: boolean;
  /** Whether bounds may be of the problem below a ceiling; default: of the whole. */
  readonly takesCeiling?: boolean;
  /** Strategies to do without. */
  readonly without?: Without;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: PlacementProgress) => void;
}

/** Where a solve stands; values in the instance's unit of cost. */
export interface PlacementProgress extends Progress {
  readonly phase:
    | "local search"
    | "pooled bound"
    | "pattern bound"
    | "device tree"
    | "large shards"
    | "like tables"
    | "option dives"
    | "base tree"
    | "branch and bound"
    | "proof";
}

/** What is known of a placement problem in the end, and why. */
export interface PlacementSolution {
  /** The program that certificate, point and verdict speak of: the aggregated or the counted one where that has the best bound. */
  readonly direct: DirectProgram | BoundedProgram;
  /** The cost above which that program leaves placements out; absent: it leaves out none. */
  readonly ceiling?: Rational;
  /** `null` when no placement was found and none was ruled out. */
  readonly verdict: Verdict | null;
  /** Beside a verdict; and without one the best bound that was proved. */
  readonly certificate: Certificate | null;
  readonly placement: Placement | null;
  /** The placement as a point of the program. */
  readonly point: readonly Rational[] | null;
  readonly nodes: number;
  /** Units of work that the search took. */
  readonly units: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}
