import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import type { FrontierOptions as SharedOptions } from "../../problems/frontier-options.js";
import { frontierOf } from "../../problems/planning/frontier.js";
import type { FrontierFile } from "../../problems/row-tiers/frontier/report.js";
import type { PlacementFrontierFile } from "../../problems/table-placement/plan-file/frontier.js";
import type { PlacementTradeFile } from "../../problems/table-placement/plan-file/trade.js";
import { instanceOf } from "./plan.js";

/** The time limit is for all points together. */
export type FrontierOptions = Omit<SharedOptions, "spentSeconds">;

/** The frontier of memory against communication, as `frontier --json` writes it for row tiers. */
export type Frontier = FrontierFile;

/** The frontier of device memory against the goal, as `frontier --json` writes it for table placement. */
export type PlacementFrontier = PlacementFrontierFile;

/** One goal against another, of an instance with a list of goals. */
export type PlacementTrade = PlacementTradeFile;

/** By an instance's problem; of a path, whose problem is not known, any: its `problem` tells. */
export type FrontierOf<Source> = Source extends RowTiersInstance
  ? Frontier
  : Source extends TablePlacementInstance
    ? PlacementFrontier | PlacementTrade
    : Frontier | PlacementFrontier | PlacementTrade;

/**
 * Memory against the goal. Of a row-tiers instance: every break-point of the relaxation, the proved optimum at budgets from the
 * least memory of any plan to where more is of no use, and FlexShard's greedy frontiers beside them. Of a table placement: at
 * budgets from what no plan has less of to what the best plan needs, the best plan found and a proved bound, both monotone.
 *
 * Throws `InputError` when the instance cannot be read or is of another problem, `RangeError` for a number of points below 0
 * or equal to 1.
 */
export async function frontier<Source extends RowTiersInstance | TablePlacementInstance | string>(
  source: Source,
  options: FrontierOptions = {},
): Promise<FrontierOf<Source>> {
  return (await frontierOf(await instanceOf(source), options)) as unknown as FrontierOf<Source>;
}
