import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { InputError } from "../../errors/input-error.js";
import type { ExportablePlacement } from "../../interop/exportable.js";
import { type OpenInstance, planWithInstance, requirePlanned } from "../../plan-file/original-plan.js";
import { parsePlan } from "../../plan-file/read-plan.js";
import { tablePlacementReader } from "./instance/reader.js";
import { tablePlacementPlanSchema } from "./plan-file/plan-file.js";
import { requireWithinLimits } from "./plan-file/within-limits.js";

/**
 * Reads a table-placement plan file's text and its instance. That the plan belongs to the instance, and that its placement
 * is one within the limits, is checked; whether its values are right is for `verify`.
 *
 * Throws `InputError` when the text is no table-placement plan, is one in groups, was changed after it was written, says that there is no
 * plan, was made for another instance, or does not fit it.
 */
export async function readExportablePlacement(
  text: string,
  file: string,
  openInstance: OpenInstance,
): Promise<ExportablePlacement> {
  if (parsePlan(text, file).groups !== undefined) {
    const advice = "give plans without groups, of one group's GPUs";
    throw new InputError(
      `expected one placement of the tables, received one for every size of groups; ${advice}`,
      file,
    );
  }
  const { plan, instance } = await planWithInstance(tablePlacementReader, tablePlacementPlanSchema, {
    text,
    file,
    openInstance,
  });
  requirePlanned(plan, file);
  const problem = placementProblem(instance);
  const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  requireWithinLimits(problem, placement, file);
  return { instance, problem, placement, method: plan.method, status: plan.status, digest: plan.digest };
}
