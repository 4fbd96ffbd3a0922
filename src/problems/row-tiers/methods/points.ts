import { latencySeconds, type TierCost, tierCosts } from "../../../cost/flexshard.js";
import type { RowTiersInstance } from "../instance/instance.js";
import { exposedSeconds, margin } from "./margins.js";
import { type Cut, costBefore, firstCostly, type MergedUnits, rowsBefore, unitCosts } from "./merged-units.js";

/** A point of FlexShard's figure 5: this many of the hottest rows data_parallel, the rest row_wise. */
export interface FlexShardPoint {
  readonly rows: number;
  /** Memory per GPU over (below 0: under) the all-row_wise plan. */
  readonly extraBytesPerGpu: number;
  /** Seconds of allToAllGlobal and allReduceGlobal per iteration, latency included. */
  readonly seconds: number;
}

/**
 * The points of interest of figure 5 (section 4.3): A saves the most memory, B uses up the budget (memory-neutral, in
 * the paper), C communicates the least, D replicates every row.
 */
export interface FlexShardPoints {
  readonly a: FlexShardPoint;
  readonly b: FlexShardPoint;
  readonly c: FlexShardPoint;
  readonly d: FlexShardPoint;
}

/** The four points; `budgetCut` is B, which the method has found. Latency counts in the seconds, not in where C is. */
export function flexShardPoints(
  instance: RowTiersInstance,
  units: MergedUnits,
  memorySavingsEnd: Cut,
  budgetCut: Cut,
): FlexShardPoints {
  const [replicated, rowWise] = tierCosts(instance, ["data_parallel", "row_wise"]) as [TierCost, TierCost];
  const extraBytes = unitCosts(units, margin(replicated.memory, rowWise.memory));
  const allReduce = unitCosts(units, exposedSeconds(replicated));
  const allToAll = unitCosts(units, exposedSeconds(rowWise));
  const end: Cut = { span: units.units.length, units: 0 };
  const allToAllOfAll = costBefore(units, allToAll, end);
  const at = (cut: Cut): FlexShardPoint => {
    const rows = rowsBefore(units, cut);
    const reduced = costBefore(units, allReduce, cut);
    const exchanged = allToAllOfAll.subtract(costBefore(units, allToAll, cut));
    let seconds = reduced.add(exchanged);
    if (reduced.sign() > 0) seconds = seconds.add(latencySeconds(instance, "allReduceGlobal"));
    if (exchanged.sign() > 0) seconds = seconds.add(latencySeconds(instance, "allToAllGlobal"));
    return {
      rows: Number(rows),
      extraBytesPerGpu: costBefore(units, extraBytes, cut).toNumber(),
      seconds: seconds.toNumber(),
    };
  };
  const communicationNeutral = firstCostly(
    units,
    unitCosts(units, margin(exposedSeconds(replicated), exposedSeconds(rowWise))),
  );
  return { a: at(memorySavingsEnd), b: at(budgetCut), c: at(communicationNeutral), d: at(end) };
}
