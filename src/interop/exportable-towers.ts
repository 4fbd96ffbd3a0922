import { requireTowerPartition } from "../instance/load.js";
import type { TowerPartitionInstance } from "../instance/tower-partition-instance.js";
import { shapeTowerPlan } from "../plan/read-plan.js";
import { type OpenInstance, originalPlan, requireInstanceOf } from "./original-plan.js";

/** A tower-partition plan's instance: of such plans it is the program that is exported. */
export interface ExportableTowers {
  readonly instance: TowerPartitionInstance;
}

/**
 * Reads a tower-partition plan file's text and its instance. Throws `InputError` when the text is no tower-partition plan,
 * was changed after it was written, or was made for another instance. A plan file that has no towers will do.
 */
export async function readExportableTowers(
  text: string,
  file: string,
  openInstance: OpenInstance,
): Promise<ExportableTowers> {
  const plan = shapeTowerPlan(originalPlan(text, file, ["tower-partition"]), text, file);
  const instance = requireTowerPartition(await openInstance(plan.instance.file));
  requireInstanceOf(plan.instance, instance, file);
  return { instance };
}
