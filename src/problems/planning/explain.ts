import { InputError } from "../../errors/input-error.js";
import type { AnyInstance } from "../../instance/reader.js";
import { type OpenInstance, requirePlanned } from "../../plan-file/original-plan.js";
import { parsePlan, shapePlan } from "../../plan-file/read-plan.js";
import type { ExplainOptions, ExplanationFile } from "../explain-options.js";
import type { Problem } from "../problem.js";
import type { Verification } from "../verification/verification.js";
import { PROBLEMS, problemOfPlan } from "./registry.js";
import { verifyPlanText } from "./verify.js";

/** An explanation, or what verifying the plan came to where it failed. */
export type Explained =
  | { readonly explanation: ExplanationFile; readonly failed: null }
  | { readonly explanation: null; readonly failed: Verification };

/**
 * Verifies the text of a plan file, published methods apart, and says why the plan is as it is. Throws `InputError` where the
 * text is no plan, has none (infeasible, unknown), is of a problem whose plans are not explained, or its instance cannot be
 * read.
 */
export async function explainPlanText(
  text: string,
  file: string,
  openInstance: OpenInstance,
  options: ExplainOptions = {},
): Promise<Explained> {
  const started = performance.now();
  const json = parsePlan(text, file);
  const problem = problemOfPlan(json, file);
  const { explaining, verifying } = explained(problem, file);
  const plan = shapePlan((await verifying()).schema, json, text, file);
  requirePlanned(plan as unknown as Parameters<typeof requirePlanned>[0], file);
  let opened: AnyInstance | undefined;
  const open: OpenInstance = async (written) => {
    opened ??= await openInstance(written);
    return opened;
  };
  const verification = await verifyPlanText(text, file, open);
  if (!verification.passed) return { explanation: null, failed: verification };
  const instance = await open(plan.instance.file);
  const { explain } = await explaining();
  const spentSeconds = (options.spentSeconds ?? 0) + (performance.now() - started) / 1000;
  // As verified, a plan file is a plan.
  const explanation = await explain(plan as never, instance as never, { ...options, spentSeconds });
  return { explanation, failed: null };
}

function explained(problem: Problem, file: string): Problem & Required<Pick<Problem, "explaining">> {
  if (problem.explaining !== undefined) return problem as ReturnType<typeof explained>;
  const names = PROBLEMS.flatMap(({ name, explaining }) => (explaining === undefined ? [] : [name]));
  const known = [...new Set(names)].sort().join(" or ");
  throw new InputError(
    `expected a plan of ${known}, received one of ${problem.name}; shardproof report shows it`,
    file,
  );
}
