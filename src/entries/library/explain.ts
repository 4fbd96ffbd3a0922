import { InputError } from "../../errors/input-error.js";
import type { ExplainOptions as SharedOptions } from "../../problems/explain-options.js";
import { explainPlanText } from "../../problems/planning/explain.js";
import type { Instance } from "../../problems/planning/instances.js";
import type { TablePlacementPlan } from "../../problems/table-placement/plan-file/by-status.js";
import type { PlacementExplanationFile } from "../../problems/table-placement/plan-file/explanation.js";
import { opening, planText } from "./read-plan.js";

export interface ExplainOptions extends Omit<SharedOptions, "spentSeconds"> {
  /** The plan's instance, or its path; default: where the plan says it was. */
  readonly instance?: Instance | string;
}

/** Why a placement is as it is, as `explain --json` writes it, with the proofs of its bounds. */
export type Explanation = PlacementExplanationFile;

/**
 * Why a table placement is as it is: what every table's choice is worth (what the best plan without it costs at least), what
 * fills every device, what binds, and what no choice avoids. The plan is verified first.
 *
 * `source` is a plan, the path of a plan file, or its text. Throws `InputError` when it is no plan of a table placement, has no
 * placement, does not hold, or its instance cannot be read.
 */
export async function explain(
  source: TablePlacementPlan | string,
  { instance, ...options }: ExplainOptions = {},
): Promise<Explanation> {
  const { text, file } = await planText(source);
  const { explanation } = await explainPlanText(text, file, opening(instance, file), options);
  if (explanation === null) throw new InputError("expected a plan that holds, received one that fails its check", file);
  return explanation as unknown as Explanation;
}
