import { type TierCost, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { RowTiersInstance } from "../../instance/instance.js";
import { costOfAll, type MergedUnits } from "./merged-units.js";

/** Bytes per GPU that the budget allows over the all-row_wise plan: 0 for `memory-neutral`; below 0 if it asks for less. */
export function headroomBytes(instance: RowTiersInstance, units: MergedUnits): Rational {
  const { budget } = instance;
  if (budget.kind === "memory-neutral") return Rational.zero;
  if (budget.kind === "extraBytesPerGpu") return Rational.fromNumber(budget.bytes);
  const [{ memory }] = tierCosts(instance, ["row_wise"]) as [TierCost];
  return Rational.fromNumber(budget.bytes).subtract(costOfAll(units, memory));
}
