import { InputError } from "../errors/input-error.js";
import type { Instance } from "../instance/instance.js";
import { parsePlan, shapePlacementPlan, shapePlan, shapeTowerPlan } from "./plan-file/read-plan.js";
import { verifyRowTiersPlan } from "./row-tiers/verify.js";
import { verifyTablePlacementPlan } from "./table-placement/verify.js";
import { verifyTowerPlan } from "./tower-partition/verify.js";
import { checkDigest } from "./verification/digest.js";
import type { PublishedMethods } from "./verification/published-methods.js";
import { checkSameInstance } from "./verification/same-instance.js";
import { unknownPlan } from "./verification/unknown-plan.js";
import { type Verification, VerificationDraft } from "./verification/verification.js";
import type { VerifyHow } from "./verification/verify-how.js";
import { type OnVerifyProgress, VerifySteps } from "./verification/verify-steps.js";

/** Where the instance of a plan comes from: `file` is the path that the plan has. */
export type OpenInstance = (file: string) => Promise<Instance>;

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
  { text, file, ...how }: { readonly text: string; readonly file: string } & VerifyHow,
  openInstance: OpenInstance,
): Promise<Verification> {
  const problem = json.shardproof === 1 ? json.problem : undefined;
  if (problem === "row-tiers") {
    const plan = shapePlan(json, text, file);
    const instance = await openInstance(plan.instance.file);
    return instance.problem === problem ? verifyRowTiersPlan(plan, instance, how) : another(plan.instance, instance);
  }
  if (problem === "table-placement") {
    const plan = shapePlacementPlan(json, text, file);
    const instance = await openInstance(plan.instance.file);
    return instance.problem === problem
      ? verifyTablePlacementPlan(plan, instance, how)
      : another(plan.instance, instance);
  }
  if (problem === "tower-partition") {
    const plan = shapeTowerPlan(json, text, file);
    const instance = await openInstance(plan.instance.file);
    return instance.problem === problem ? verifyTowerPlan(plan, instance, how) : another(plan.instance, instance);
  }
  throw unknownPlan(json, file);
}

function another(written: { readonly name: string; readonly sha256: string }, instance: Instance): Verification {
  const draft = new VerificationDraft();
  checkSameInstance(draft, written, instance);
  return draft.done();
}
