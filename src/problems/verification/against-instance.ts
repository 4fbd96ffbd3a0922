import type { AnyInstance } from "../../instance/reader.js";
import type { PlanRequest, PlanTiming } from "../../plan-file/envelope.js";
import { timingOf } from "../../plan-file/timing.js";
import { Refusal } from "./refusal.js";
import { checkSameInstance } from "./same-instance.js";
import { type Verification, VerificationDraft } from "./verification.js";
import type { VerifySteps } from "./verify-steps.js";

/**
 * Verifies a plan against its instance: that it is the one that the plan was made for, then what `work` looks at, which
 * ends at the first {@link Refusal}.
 */
export async function verifyAgainst(
  plan: { readonly instance: { readonly name: string; readonly sha256: string } },
  instance: AnyInstance,
  steps: VerifySteps | undefined,
  work: (draft: VerificationDraft) => void | Promise<void>,
): Promise<Verification> {
  const draft = new VerificationDraft(steps);
  if (!checkSameInstance(draft, plan.instance, instance)) return draft.done();
  draft.steps.next("the program of the instance");
  try {
    await work(draft);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    draft.check(error.check, false, error.message);
  }
  return draft.done();
}

/** What plan files of all problems are computed again from, as the file has it. */
export function sharedParts<I extends AnyInstance, Claim>(plan: WrittenParts<Claim>, instance: I) {
  const { method, request, claim, timing } = plan;
  // The path is the plan's own: it says where the instance was, not what it is.
  return { instance: { ...instance, file: plan.instance.file }, method, request, claim, timing: timingOf(timing) };
}

interface WrittenParts<Claim> {
  readonly instance: { readonly file: string };
  readonly method: string;
  readonly request: PlanRequest;
  readonly claim: Claim;
  readonly timing: PlanTiming;
}
