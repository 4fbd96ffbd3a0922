import {
  budgetAbove,
  OBJECTIVE_SUMS,
  type PerByte,
  secondsPerByte,
  type TierCost,
  tierCosts,
  tierMemory,
} from "../../../cost/flexshard.js";
import type { Rational } from "../../../exact/rational.js";
import type { RowTiersInstance, Tier } from "../../../instance/types/row-tiers.js";
import { type HeuristicPlan, missingTier, type RowTiersHeuristic } from "./heuristic.js";
import {
  type Cut,
  costOfAll,
  type MergedUnits,
  mergedUnits,
  segments,
  type UnitCosts,
  unitCosts,
} from "./merged-units.js";

/** What a method that gives segments of the merged order to tiers decides on. */
export interface InSegments {
  readonly instance: RowTiersInstance;
  readonly units: MergedUnits;
  readonly costs: readonly TierCost[];
  /** Memory per GPU that a unit costs more (above 0) or less in a tier, by its place, than in the last one. */
  bytes(tier: number): UnitCosts;
  /** The same of seconds of exposed collectives. */
  seconds(tier: number): UnitCosts;
}

/** A method from where each tier but the last ends. Not applicable where the instance does not allow one of the tiers. */
export function inSegments(
  tiers: readonly Tier[],
  decide: (given: InSegments) => { readonly cuts: readonly Cut[] } & Pick<HeuristicPlan, "points">,
): RowTiersHeuristic {
  return (instance, access) => {
    const missing = missingTier(instance, tiers);
    if (missing !== null) return missing;
    const units = mergedUnits(instance, access);
    const costs = tierCosts(instance, tiers);
    const overLast = (of: (cost: TierCost) => PerByte) => (tier: number) => {
      const [cost, last] = [costs[tier], costs.at(-1)].map((each) => of(each as TierCost)) as [PerByte, PerByte];
      return unitCosts(units, {
        parameters: cost.parameters.subtract(last.parameters),
        reads: cost.reads.subtract(last.reads),
      });
    };
    const bytes = overLast(({ memory }) => memory);
    const { cuts, ...points } = decide({ instance, units, costs, bytes, seconds: overLast(exposedSeconds) });
    return { kind: "plan", assignment: segments(instance, units, cuts, tiers), ...points };
  };
}

/**
 * Seconds of a tier's exposed collectives (FlexShard, table 3), without latency. The paper takes the collectives inside
 * and across nodes for overlapped with others (table 6, "overlappable"), so that flex exposes nothing.
 */
function exposedSeconds(cost: TierCost): PerByte {
  return secondsPerByte(cost, OBJECTIVE_SUMS.exposed.flat());
}

/** Bytes per GPU that the budget allows over the all-row_wise plan: 0 for `memory-neutral`; below 0 if it asks for less. */
export function headroomBytes(instance: RowTiersInstance, units: MergedUnits): Rational {
  return budgetBytes(instance, units).subtract(costOfAll(units, tierMemory(instance, "row_wise")));
}

/** Bytes per GPU that a plan may use. */
export function budgetBytes(instance: RowTiersInstance, units: MergedUnits): Rational {
  return budgetAbove(instance, () => costOfAll(units, tierMemory(instance, "row_wise")));
}
