import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { type FrontierOptions, requirePoints } from "../../frontier-options.js";
import type { RowTiersHeuristicName } from "../methods/index.js";
import { type PreparedRowTiers, prepareRowTiers } from "../solve/plan.js";
import { assembleFrontier } from "./assemble.js";
import { greedyCurve } from "./greedy-curve.js";
import { markedPoints } from "./marked-points.js";
import { relaxedFrontier } from "./relaxed-frontier.js";
import type { FrontierFile } from "./report.js";
import { type SolvedPoints, solvePoints } from "./solved-points.js";

/** The time limit is for all points together. */
export interface RowTiersFrontierOptions extends FrontierOptions {
  /** Reads standard input, where the instance is `-`. */
  readonly standardInput?: () => Promise<string>;
}

/**
 * The memory/latency frontier of a row-tiers instance: every break-point of the relaxation, exactly; the proved optimum
 * at budgets from the least memory of any plan to where more is of no use; and FlexShard's greedy frontiers beside them.
 *
 * ```ts
 * const { breakPoints, optimal, largestGreedyGap } = await rowTiersFrontier("instances/public/criteo1tb.yaml");
 * ```
 *
 * Throws `InputError` when the instance cannot be read, `RangeError` for a number of points below 0 or equal to 1.
 */
export async function rowTiersFrontier(
  source: RowTiersInstance | string,
  options: RowTiersFrontierOptions = {},
): Promise<FrontierFile> {
  return frontierOf(await prepareRowTiers(source, options.standardInput), options);
}

async function frontierOf(prepared: PreparedRowTiers, options: FrontierOptions): Promise<FrontierFile> {
  const { points = 20, gap = 1e-9, timeLimitSeconds = 60, seed = 0, shouldStop = () => false } = options;
  const { workSeconds = timeLimitSeconds } = options;
  requirePoints(points);
  const asked = askedGap(gap);
  const { instance, access } = prepared;
  const started = performance.now();
  const deadline = started + secondsLeft(options, prepared.readSeconds) * 1000;
  const isLate = () => shouldStop() || performance.now() > deadline;
  const relaxed = relaxedFrontier(prepared.model, { shouldStop: isLate });
  const curved = performance.now();
  let solved: SolvedPoints = { points: [], missing: 0 };
  if (relaxed !== null && points > 0) {
    solved = await solvePoints(prepared, relaxed, {
      points,
      gap: asked,
      timeLimitSeconds: Math.max(0, deadline - curved) / 1000,
      workSeconds,
      shouldStop,
      onProgress: (progress, point, all) => options.onProgress?.({ ...progress, point, points: all }),
    });
  }
  const methods = METHODS.filter((method) => method !== HOST_METHOD || instance.tiers.includes("host"));
  const greedy = methods.map((method) => greedyCurve(method, instance, access, solved.points));
  const proveSeconds = solved.points.reduce((sum, point) => sum + point.proveSeconds, 0);
  return assembleFrontier({
    prepared,
    relaxed,
    solved: solved.points,
    missing: solved.missing,
    greedy,
    marks: markedPoints(instance, access),
    request: { points, gap, timeLimitSeconds, seed },
    exact: options.exact === true,
    timing: {
      readSeconds: prepared.readSeconds,
      breakPointsSeconds: (curved - started) / 1000,
      solveSeconds: (performance.now() - curved) / 1000 - proveSeconds,
      proveSeconds,
    },
  });
}

const HOST_METHOD = "recshard-like";

/** Greedy methods with a frontier, the better known first. */
const METHODS: readonly RowTiersHeuristicName[] = ["flexshard-3tier", "flexshard-2tier", HOST_METHOD];
