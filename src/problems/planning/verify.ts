import { InputError } from "../../errors/input-error.js";
import type { AnyInstance } from "../../instance/reader.js";
import type { OpenInstance } from "../../plan-file/original-plan.js";
import { parsePlan, shapePlan } from "../../plan-file/read-plan.js";
import type { Problem } from "../problem.js";
import type { RerunExtent } from "../rerun.js";
import { checkDigest } from "../verification/digest.js";
import type { MethodsOf } from "../verification/published-methods.js";
import { checkSameInstance } from "../verification/same-instance.js";
import { type Verification, VerificationDraft } from "../verification/verification.js";
import { type OnVerifyProgress, VerifySteps } from "../verification/verify-steps.js";
import { problemOfPlan } from "./registry.js";

/** The published methods of a problem, to be run again. */
export type PublishedMethods = (problem: Problem) => Promise<MethodsOf<never, unknown>>;

export function publishedMethods(extent: RerunExtent): PublishedMethods {
  return (problem) => problem.rerunning(extent);
}

/**
 * Verifies the text of a plan file; `onProgress` is told of every step. A file that was changed after it was written fails at
 * its digest; whatever else can still be checked then is. With `methods` published methods are run again; without, what the
 * file says of them is not checked.
 *
 * Throws `InputError` when the text is no plan, or when the plan is as it was written but is of a shape that this
 * program does not know, or its instance cannot be read.
 */
export async function verifyPlanText(
  text: string,
  file: string,
  openInstance: OpenInstance,
  onProgress?: OnVerifyProgress,
  methods?: PublishedMethods,
): Promise<Verification> {
  const draft = new VerificationDraft(new VerifySteps(onProgress));
  draft.steps.next("the digest");
  const json = parsePlan(text, file);
  const untouched = checkDigest(draft, text, json, ", its timing apart");
  try {
    draft.steps.next("the instance");
    draft.add(await verifyPlan(json, { text, file, steps: draft.steps, methods }, openInstance));
  } catch (error) {
    if (untouched || !(error instanceof InputError)) throw error;
    draft.check("readable", false, error.message);
  }
  return draft.done();
}

/** By the plan's problem. An instance of another problem is another instance. */
async function verifyPlan(
  json: Readonly<Record<string, unknown>>,
  { text, file, steps, methods }: { readonly text: string; readonly file: string; readonly steps: VerifySteps } & How,
  openInstance: OpenInstance,
): Promise<Verification> {
  const problem = problemOfPlan(json, file);
  const { schema, verify } = await problem.verifying();
  const plan = shapePlan(schema, json, text, file);
  const instance = await openInstance(plan.instance.file);
  if (instance.problem !== problem.name) return another(plan.instance, instance);
  // Of the same problem, so of the same inputs and results.
  const own = (await methods?.(problem)) as MethodsOf<never, never> | undefined;
  return verify(plan, instance, { steps, methods: own });
}

interface How {
  readonly methods: PublishedMethods | undefined;
}

function another(written: { readonly name: string; readonly sha256: string }, instance: AnyInstance): Verification {
  const draft = new VerificationDraft();
  checkSameInstance(draft, written, instance);
  return draft.done();
}
