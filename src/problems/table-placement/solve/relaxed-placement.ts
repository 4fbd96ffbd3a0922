import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { withNeeds } from "../../../../models/table-placement/stage-problem.js";
import { leastExtraBytes } from "../plan-file/infeasibility.js";
import { searchPlacement } from "./local-search/index.js";
import { isLarge } from "./problem-size.js";

/** Rounds of the search: it ends by these and not by the clock, so that equal input gives an equal plan file. */
const ROUNDS = 4;

/**
 * A placement that breaks the memory of the devices by as little as a short search finds, and nothing else: it shows what
 * more memory would do where an instance is infeasible. Bytes take the place of costs, over the smallest device.
 *
 * `null` where none was found, as when host memory or the places of shards are what is short.
 */
export function relaxedPlacement(
  problem: PlacementProblem,
  seed: number,
  shouldStop: () => boolean = () => false,
): Placement | null {
  // Of many devices local search shard by shard takes longer than all else.
  if (isLarge(problem)) return null;
  const relaxed: PlacementProblem = {
    ...withNeeds(problem, (need) => ({ ...need, cost: need.hbmBytes })),
    hbmBytes: problem.hbmBytes.map(() => Number.MAX_SAFE_INTEGER),
  };
  const { placement } = searchPlacement(relaxed, {
    seed,
    shouldStop,
    maxRounds: ROUNDS,
    // With this much the largest device is as full as it has to be: no search finds better.
    target: Math.min(...problem.hbmBytes) + leastExtraBytes(problem),
  });
  return placement === null || evaluatePlacement(relaxed, placement).violations.length > 0 ? null : placement;
}
