import type { PreparedRowTiers } from "../solve/plan.js";
import type { GreedyCurve } from "./greedy-curve.js";
import type { MarkedPoints } from "./marked-points.js";
import type { RelaxedFrontier } from "./relaxed-frontier.js";
import type { FrontierReport, FrontierTiming } from "./report.js";
import type { SolvedPoint } from "./solved-points.js";

/** Everything that a report is computed from. */
export interface FrontierParts {
  readonly prepared: PreparedRowTiers;
  /** `null`: no plan keeps to the host memory. */
  readonly relaxed: RelaxedFrontier | null;
  readonly solved: readonly SolvedPoint[];
  /** Points that were asked for and are not there. */
  readonly missing: number;
  /** The best known method that applies gives the report's `greedy`. */
  readonly greedy: readonly GreedyCurve[];
  readonly marks: MarkedPoints | null;
  readonly request: FrontierReport["request"];
  readonly exact: boolean;
  readonly timing: Omit<FrontierTiming, "totalSeconds">;
}
