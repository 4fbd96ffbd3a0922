import { InputError } from "../../errors/input-error.js";
import { readText } from "../../input/files.js";
import { againstStatus } from "../../plan-file/by-status.js";
import type { WrittenEnvelope } from "../../plan-file/envelope.js";
import { originalPlan } from "../../plan-file/original-plan.js";
import { shapePlan } from "../../plan-file/read-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import type { Instance } from "../../problems/planning/instances.js";
import type { Plan } from "../../problems/planning/plan.js";
import { PROBLEM_NAMES, problemOfPlan } from "../../problems/planning/registry.js";
import { instanceOf } from "./plan.js";

/**
 * A plan file: its path, or its text (which begins with a brace). That it is as it was written and of a plan's shape is
 * checked here; whether its numbers are right is for `verify`.
 *
 * Throws `InputError` when it cannot be read, is no plan of this version, or was changed after it was written.
 */
export async function readPlan(source: string): Promise<Plan> {
  const { text, file } = await planText(source);
  const json = originalPlan(text, file, PROBLEM_NAMES);
  const { statuses, verifying } = problemOfPlan(json, file);
  // The status is in the shape of each problem.
  const plan = shapePlan((await verifying()).schema, json, text, file) as WrittenEnvelope & { readonly status: string };
  const contradiction = againstStatus(statuses, plan);
  if (contradiction !== null) {
    throw new InputError(`expected a plan that keeps to its status, received one where ${contradiction}`, file);
  }
  return plan as unknown as Plan;
}

/** A plan file's text and its name for messages: of a plan, a path, or a text. Throws `InputError`. */
export async function planText(source: object | string): Promise<{ readonly text: string; readonly file: string }> {
  if (typeof source !== "string") return { text: writePlan(source), file: "plan" };
  if (/^\uFEFF?\s*\{/.test(source)) return { text: source, file: "plan" };
  return { text: await readText(source, "a plan file"), file: source };
}

/** How a plan's instance is opened: the one given, or where the plan says it was. */
export function opening(instance: Instance | string | undefined, file: string) {
  return async (written: string) => {
    if (instance !== undefined) return instanceOf(instance);
    if (written !== "-") return instanceOf(written);
    throw new InputError("the plan's instance was no file; hand it over as the option instance", file);
  };
}
