import { bytes } from "../../../text/units.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";

/** A budget above the memory that the GPU has. */
export function warningsOf({ memory }: RowTiersPlan): readonly string[] {
  const { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm } = memory;
  if (hbm === null || budget <= hbm) return [];
  return [`warning: the budget of ${bytes(budget)} per GPU is above the GPU's ${bytes(hbm)} (hbmBytesPerGpu)`];
}
