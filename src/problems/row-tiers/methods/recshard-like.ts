import { type TierCost, tierCosts } from "../../../cost/flexshard.js";
import { Rational } from "../../../exact/rational.js";
import { budgetBytes } from "./headroom.js";
import { missingTier, type RowTiersHeuristic } from "./heuristic.js";
import { margin } from "./margins.js";
import { costOfAll, furthest, mergedUnits, segments, unitCosts } from "./merged-units.js";

/**
 * The row partition of RecShard (Sethi et al., ASPLOS 2022) on this problem: the hottest rows of all tables merged stay
 * in the GPUs' memory, row_wise, until the budget is used up; the rest goes to host memory. RecShard decides for each
 * table by a mixed-integer program over steps of its access curve, with tables kept whole on one GPU; with rows sharded
 * over all GPUs every table's rows weigh alike, and its rule is this one. It does not look at how much host memory there
 * is: the plan may be over that.
 *
 * Needs the tiers row_wise and host. The decisions are exact: the number of rows is right to the row.
 */
export const recshardLike: RowTiersHeuristic = (instance, access) => {
  const missing = missingTier(instance, ["row_wise", "host"]);
  if (missing !== null) return missing;
  const [rowWise, host] = tierCosts(instance, ["row_wise", "host"]) as [TierCost, TierCost];
  const units = mergedUnits(instance, access);
  const extraBytes = unitCosts(units, margin(rowWise.memory, host.memory));
  const room = budgetBytes(instance, units).subtract(costOfAll(units, host.memory));
  const end = furthest(units, extraBytes, { span: 0, units: 0 }, Rational.zero, room);
  return { kind: "plan", assignment: segments(instance, units, [end], ["row_wise", "host"]) };
};
