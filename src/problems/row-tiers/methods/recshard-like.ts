import type { TierCost } from "../../../cost/flexshard.js";
import { Rational } from "../../../exact/rational.js";
import type { RowTiersHeuristic } from "./heuristic.js";
import { costOfAll, furthest } from "./merged-units.js";
import { budgetBytes, inSegments } from "./segments.js";

/**
 * The row partition of RecShard (Sethi et al., ASPLOS 2022) on this problem: the hottest rows of all tables merged stay
 * in the GPUs' memory, row_wise, until the budget is used up; the rest goes to host memory. RecShard decides for each
 * table by a mixed-integer program over steps of its access curve, with tables kept whole on one GPU; with rows sharded
 * over all GPUs every table's rows weigh alike, and its rule is this one. It does not look at how much host memory there
 * is: the plan may be over that.
 *
 * Needs the tiers row_wise and host. The decisions are exact: the number of rows is right to the row.
 */
export const recshardLike: RowTiersHeuristic = inSegments(["row_wise", "host"], ({ instance, units, costs, bytes }) => {
  const { memory } = costs[1] as TierCost;
  const room = budgetBytes(instance, units).subtract(costOfAll(units, memory));
  return { cuts: [furthest(units, bytes(0), { span: 0, units: 0 }, Rational.zero, room)] };
});
