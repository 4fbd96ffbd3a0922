import { type TierCost, tierCosts } from "../../../cost/flexshard.js";
import { headroomBytes } from "./headroom.js";
import { missingTier, type RowTiersHeuristic } from "./heuristic.js";
import { exposedSeconds, margin } from "./margins.js";
import { costBefore, firstCostly, furthest, mergedUnits, segments, unitCosts } from "./merged-units.js";

/**
 * FlexShard 3-tier (Sethi et al., MLSys 2023, section 4.5): rows of all tables in falling expected appearances p.
 *
 * 1. data_parallel down to the memory-neutral break-point p_mem = (κ − 1/U)/B (point A of figure 5; a row at p_mem, whose
 *    extra memory is 0, is still replicated: A is where "the next row … is less than" it);
 * 2. flex until the memory that this saved is used up (κ/W − 1/U per byte), or until flex no longer communicates less
 *    than row_wise;
 * 3. the rest row_wise.
 *
 * The communication-neutral break-point of step 2 is read as the paper counts communication: flex's own collectives
 * overlap with others and are not exposed (table 6), so flex wins for every row that is read at all. The published plans
 * bear that out: all four use up the memory. Added up with table 3's costs at the bandwidths of table 6, flex's collectives
 * would pass row_wise's at p = ((1/W)/ar_cross) / (2·B·(1/a2a_global − 1/a2a_intra)) = 4.7e-5, and the flex rows of RM-2
 * would end at 1.03 instead of the published 2.40 million.
 *
 * Other budgets, tables of different width and granularity are treated as in `flexshard-2tier`: what a budget other than
 * memory-neutral allows adds to the saved memory (or takes from it).
 *
 * Needs the tiers data_parallel, flex and row_wise. The decisions are exact: the numbers of rows are right to the row.
 */
export const flexshard3tier: RowTiersHeuristic = (instance, access) => {
  const missing = missingTier(instance, ["data_parallel", "flex", "row_wise"]);
  if (missing !== null) return missing;
  const costs = tierCosts(instance, ["data_parallel", "flex", "row_wise"]);
  const [replicated, flex, rowWise] = costs as [TierCost, TierCost, TierCost];
  const units = mergedUnits(instance, access);
  const replicaBytes = unitCosts(units, margin(replicated.memory, rowWise.memory));
  const flexBytes = unitCosts(units, margin(flex.memory, rowWise.memory));
  const flexSeconds = unitCosts(units, margin(exposedSeconds(flex), exposedSeconds(rowWise)));
  const pointA = firstCostly(units, replicaBytes);
  const saved = costBefore(units, replicaBytes, pointA);
  const neutral = firstCostly(units, flexSeconds, pointA.span, true);
  const end = furthest(units, flexBytes, pointA, saved, headroomBytes(instance, units), neutral.span);
  return {
    kind: "plan",
    assignment: segments(instance, units, [pointA, end], ["data_parallel", "flex", "row_wise"]),
  };
};
