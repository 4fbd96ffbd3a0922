import { tierMemory } from "../../../cost/flexshard.js";
import { Rational } from "../../../exact/rational.js";
import type { RowTiersInstance } from "../instance/instance.js";
import { costOfAll, type MergedUnits } from "./merged-units.js";

/** Bytes per GPU that the budget allows over the all-row_wise plan: 0 for `memory-neutral`; below 0 if it asks for less. */
export function headroomBytes(instance: RowTiersInstance, units: MergedUnits): Rational {
  const { budget } = instance;
  if (budget.kind === "memory-neutral") return Rational.zero;
  if (budget.kind === "extraBytesPerGpu") return Rational.fromNumber(budget.bytes);
  return Rational.fromNumber(budget.bytes).subtract(costOfAll(units, tierMemory(instance, "row_wise")));
}

/** Bytes per GPU that a plan may use. */
export function budgetBytes(instance: RowTiersInstance, units: MergedUnits): Rational {
  const { budget } = instance;
  if (budget.kind === "bytesPerGpu") return Rational.fromNumber(budget.bytes);
  return costOfAll(units, tierMemory(instance, "row_wise")).add(headroomBytes(instance, units));
}
