import type { Instance } from "../../problems/planning/instances.js";
import type { Plan } from "../../problems/planning/plan.js";
import { publishedMethods, verifyPlanText } from "../../problems/planning/verify.js";
import type { Verification } from "../../problems/verification/verification.js";
import type { OnVerifyProgress } from "../../problems/verification/verify-steps.js";
import { opening, planText } from "./read-plan.js";

export interface VerifyOptions {
  /** The plan's instance, or its path; default: where the plan says it was. */
  readonly instance?: Instance | string;
  /** Which published methods are run again; default `quick`: those that end soon. */
  readonly baselines?: "quick" | "all" | "none";
  readonly onProgress?: OnVerifyProgress;
}

/**
 * Checks a plan again, from its file and its instance alone: the model is rebuilt, the plan evaluated and the certificate
 * walked in exact arithmetic. What no check covers is listed under `notChecked`, with the reason.
 *
 * ```ts
 * const { passed, checks } = await verify("plan.json");
 * ```
 *
 * `source` is a plan, the path of a plan file, or its text. Throws `InputError` when it is no plan, or when its instance
 * cannot be read.
 */
export async function verify(source: Plan | string, options: VerifyOptions = {}): Promise<Verification> {
  const { text, file } = await planText(source);
  const { instance, baselines = "quick", onProgress } = options;
  const open = opening(instance, file);
  return verifyPlanText(text, file, open, onProgress, baselines === "none" ? undefined : publishedMethods(baselines));
}
