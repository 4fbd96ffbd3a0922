import { type ExportablePlacement, readExportablePlacement } from "./exportable-placement.js";
import { type ExportablePlan, readExportablePlan } from "./exportable-plan.js";
import { type OpenInstance, originalPlan } from "./original-plan.js";

/** A plan of one of the problems whose plans are exported. */
export type Exportable =
  | { readonly problem: "row-tiers"; readonly plan: ExportablePlan }
  | { readonly problem: "table-placement"; readonly plan: ExportablePlacement };

/** Reads a plan file of either problem. Throws as {@link readExportablePlan} and {@link readExportablePlacement} do. */
export async function readExportable(text: string, file: string, openInstance: OpenInstance): Promise<Exportable> {
  const { problem } = originalPlan(text, file, ["row-tiers", "table-placement"]);
  return problem === "row-tiers"
    ? { problem, plan: await readExportablePlan(text, file, openInstance) }
    : { problem: "table-placement", plan: await readExportablePlacement(text, file, openInstance) };
}
