import { InputError } from "../errors/input-error.js";
import { readText } from "../input/files.js";
import { originalPlan } from "../problems/plan-file/original-plan.js";
import { shapePlacementPlan, shapePlan, shapeTowerPlan } from "../problems/plan-file/read-plan.js";
import type { Plan } from "./plan-types.js";
import { againstStatus } from "./status.js";

/** How the plan files of each problem are read. */
const SHAPED = {
  "row-tiers": shapePlan,
  "table-placement": shapePlacementPlan,
  "tower-partition": shapeTowerPlan,
} as const;

const PROBLEMS = Object.keys(SHAPED) as (keyof typeof SHAPED)[];

/**
 * A plan file: its path, or its text (which begins with a brace). That it is as it was written and of a plan's shape is
 * checked here; whether its numbers are right is for `verify`.
 *
 * Throws `InputError` when it cannot be read, is no plan of this version, or was changed after it was written.
 */
export async function readPlan(source: string): Promise<Plan> {
  const { text, file } = await planText(source);
  const json = originalPlan(text, file, PROBLEMS);
  const plan = SHAPED[json.problem as Plan["problem"]](json, text, file) as {
    problem: Plan["problem"];
    status: string;
  };
  const contradiction = againstStatus(plan);
  if (contradiction !== null) {
    throw new InputError(`expected a plan that keeps to its status, received one where ${contradiction}`, file);
  }
  return plan as Plan;
}

/** A plan file's text and its name for messages: of a path, or of a text. Throws `InputError`. */
export async function planText(source: string): Promise<{ readonly text: string; readonly file: string }> {
  if (/^\uFEFF?\s*\{/.test(source)) return { text: source, file: "plan" };
  return { text: await readText(source, "a plan file"), file: source };
}
