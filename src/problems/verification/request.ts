import type { Rational } from "../../exact/rational.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../plan-file/envelope.js";
import { gapOf, gapText } from "../../text/optimality.js";
import { Refusal, refusing } from "./refusal.js";
import type { VerificationDraft } from "./verification.js";

/** What a plan says it was asked for, if that can be. Throws {@link Refusal} where not. */
export function checkRequest(request: PlanRequest): PlanRequest {
  const { timeLimitSeconds, workLimitSeconds = 1, seed } = request;
  acceptedGap(request);
  if (!(timeLimitSeconds > 0 && workLimitSeconds > 0 && Number.isSafeInteger(seed) && seed >= 0)) {
    throw new Refusal("request", `no request has ${JSON.stringify(request)}`);
  }
  return request;
}

/** The gap to which a file says that it is proved. Throws {@link Refusal} for one that nobody can ask for. */
export function acceptedGap({ gap }: { readonly gap: number }): Rational {
  return refusing("gap", () => askedGap(gap));
}

/** What a verdict says of value and bound. */
interface Closeness {
  readonly value: Rational | null;
  readonly bound: Rational | null;
  readonly gap: Rational | null;
}

/** Says which gap was accepted, which is the file's own word, and how far apart value and bound are. */
export function tellGap(draft: VerificationDraft, request: { readonly gap: number }, verdict: Closeness): void {
  const { value, bound, gap } = verdict;
  if (value === null || bound === null || gap === null) return;
  const amounts = { value: value.toNumber(), bound: bound.toNumber(), gap: gap.toNumberUp() };
  const apart = value.equals(bound) ? "are equal" : `are ${gapText(amounts)}${gapOf(amounts)} apart`;
  const isAccepted = gap.compare(acceptedGap(request)) <= 0;
  const asked = isAccepted
    ? `accepted gap ${request.gap}, as the file asks`
    : `the file asks for a gap of ${request.gap}`;
  draft.check("gap", true, `${asked}; value and bound ${apart}${isAccepted ? "" : ", which is more"}`);
}
