import { requireInstance } from "../instance/reader.js";
import { rowTiersFrontier, type FrontierOptions as SharedOptions } from "../problems/row-tiers/frontier/frontier.js";
import type { FrontierFile } from "../problems/row-tiers/frontier/report.js";
import type { RowTiersInstance } from "../problems/row-tiers/instance/instance.js";
import { rowTiersReader } from "../problems/row-tiers/instance/reader.js";
import { instanceOf } from "./plan.js";

/** The time limit is for all points together. */
export type FrontierOptions = Omit<SharedOptions, "standardInput" | "spentSeconds">;

/** The frontier of memory against communication, as `frontier --json` writes it. */
export type Frontier = FrontierFile;

/**
 * Memory against communication of a row-tiers instance: every break-point of the relaxation, the proved optimum at budgets
 * from the least memory of any plan to where more is of no use, and FlexShard's greedy frontiers beside them.
 *
 * Throws `InputError` when the instance cannot be read or is of another problem, `RangeError` for a number of points below 0
 * or equal to 1.
 */
export async function frontier(source: RowTiersInstance | string, options: FrontierOptions = {}): Promise<Frontier> {
  return rowTiersFrontier(requireInstance(rowTiersReader, await instanceOf(source)), options);
}
