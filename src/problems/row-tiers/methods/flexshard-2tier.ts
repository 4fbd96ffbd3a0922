import { type TierCost, tierCosts } from "../../../cost/flexshard.js";
import { headroomBytes } from "./headroom.js";
import { missingTier, type RowTiersHeuristic } from "./heuristic.js";
import { margin } from "./margins.js";
import { costBefore, firstCostly, furthest, mergedUnits, segments, unitCosts } from "./merged-units.js";
import { flexShardPoints } from "./points.js";

/**
 * FlexShard 2-tier (Sethi et al., MLSys 2023, section 4.3): rows of all tables in falling expected appearances p; rows are
 * data_parallel for as long as the memory over the all-row_wise plan, Σ ((κ − 1/U) − B·p)·bytes, stays within the budget
 * (point B of figure 5); the rest is row_wise.
 *
 * The paper has the memory-neutral budget only, a sum of at most 0; under another budget the sum may reach what that
 * allows. As in the paper, the rule does not look at communication: a wide budget replicates rows past point C, where
 * each costs more to all-reduce than it saves. Where even point A, the plan with the least memory, is over the budget, A
 * is what comes out. Tables of different width: p decides the order, a row's bytes weigh its extra memory. Rows move in
 * blocks of the instance's granularity, ranked by their mean p; a block that does not fit whole is row_wise.
 *
 * Needs the tiers data_parallel and row_wise. The decisions are exact: the number of rows is right to the row.
 */
export const flexshard2tier: RowTiersHeuristic = (instance, access) => {
  const missing = missingTier(instance, ["data_parallel", "row_wise"]);
  if (missing !== null) return missing;
  const [replicated, rowWise] = tierCosts(instance, ["data_parallel", "row_wise"]) as [TierCost, TierCost];
  const units = mergedUnits(instance, access);
  const extraBytes = unitCosts(units, margin(replicated.memory, rowWise.memory));
  const pointA = firstCostly(units, extraBytes);
  const spent = costBefore(units, extraBytes, pointA);
  const pointB = furthest(units, extraBytes, pointA, spent, headroomBytes(instance, units));
  return {
    kind: "plan",
    assignment: segments(instance, units, [pointB], ["data_parallel", "row_wise"]),
    points: flexShardPoints(instance, units, pointA, pointB),
  };
};
