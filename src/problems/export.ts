import { type OpenInstance, originalPlan } from "./plan-file/original-plan.js";
import { type ExportablePlan, readExportablePlan } from "./row-tiers/exportable.js";
import { type ExportablePlacement, readExportablePlacement } from "./table-placement/exportable.js";
import { type ExportableTowers, readExportableTowers } from "./tower-partition/exportable.js";

/** A plan of one of the problems whose plans are exported. */
export type Exportable =
  | { readonly problem: "row-tiers"; readonly plan: ExportablePlan }
  | { readonly problem: "table-placement"; readonly plan: ExportablePlacement }
  | { readonly problem: "tower-partition"; readonly plan: ExportableTowers };

/**
 * Reads a plan file of any problem. Throws as {@link readExportablePlan}, {@link readExportablePlacement} and
 * {@link readExportableTowers} do.
 */
export async function readExportable(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const { problem } = originalPlan(text, file, ["row-tiers", "table-placement", "tower-partition"]);
  if (problem === "row-tiers") return { problem, plan: await readExportablePlan(text, file, openInstance) };
  return problem === "table-placement"
    ? { problem, plan: await readExportablePlacement(text, file, openInstance) }
    : { problem: "tower-partition", plan: await readExportableTowers(text, file, openInstance) };
}
