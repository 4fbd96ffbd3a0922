import { atBytes, type TierCost, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { RowTiersInstance } from "../../instance/instance.js";
import type { MergedUnits } from "./merged-units.js";

/** Bytes per GPU that the budget allows over the all-row_wise plan: 0 for `memory-neutral`; below 0 if it asks for less. */
export function headroomBytes(instance: RowTiersInstance, { spans, readDenominator }: MergedUnits): Rational {
  const { budget } = instance;
  if (budget.kind === "memory-neutral") return Rational.zero;
  if (budget.kind === "extraBytesPerGpu") return Rational.fromNumber(budget.bytes);
  let parameters = 0n;
  let reads = 0n;
  for (const { units, parameterBytes, reads: perUnit } of spans) {
    parameters += BigInt(units) * parameterBytes;
    reads += BigInt(units) * perUnit;
  }
  const [{ memory }] = tierCosts(instance, ["row_wise"]) as [TierCost];
  return Rational.fromNumber(budget.bytes).subtract(
    atBytes(memory, Rational.of(parameters), Rational.of(reads, readDenominator)),
  );
}
