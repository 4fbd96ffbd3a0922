import { directProgram } from "../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementModel } from "../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { CHANGES, type Change, changedProblem } from "../../../models/table-placement/what-if.js";
import type { Rational } from "../../exact/rational.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { boundBelow, nearest } from "../../plan-file/rounding.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import { type Certificate, readCertificate } from "../../proof/certificate.js";
import { checkCertificate } from "../../proof/check.js";
import { Verdict } from "../../proof/verdict.js";
import { some } from "../../text/units.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap } from "../verification/request.js";
import type { VerificationDraft } from "../verification/verification.js";
import type { WrittenPlacementPlan } from "./plan-file/plan-file.js";
import { type FoundPrice, type FoundPrices, type PriceProof, UNSOLVED } from "./plan-file/prices.js";
import { placementOf } from "./plan-file/written-choices.js";

/** What prices are measured against. */
export interface Own {
  readonly instance: TablePlacementInstance;
  readonly model: PlacementModel;
  readonly placement: Placement;
  /** `null`: of a program below a ceiling, which says nothing of the changed problem. */
  readonly certificate: Certificate | null;
  /** What the plan's own goal comes to. */
  readonly value: Rational;
}

const WORDS: Readonly<Record<Change, string>> = {
  gibPerGpu: "1 GiB more per GPU",
  device: "one more device or node",
};

/**
 * The prices that a plan should have: each changed problem is built from the instance, its placement evaluated there and its
 * certificate checked. What has no certificate is passed on, and said not to be checked. Throws {@link Refusal} for a proof
 * that does not hold.
 */
export function checkPrices(draft: VerificationDraft, plan: WrittenPlacementPlan, own: Own): FoundPrices | null {
  const { prices } = plan;
  if (prices === null) return null;
  const found = CHANGES.map((change) => [change, priceIn(draft, plan, own, change)] as const);
  const proved = found.flatMap(([change, { proof }]) => (proof === null ? [] : [WORDS[change]]));
  if (proved.length > 0) {
    draft.check(
      "prices",
      true,
      `${proved.join(", ")}: the placement and the bound then, or the bound alone, checked in exact arithmetic`,
    );
  }
  return Object.fromEntries(found) as unknown as FoundPrices;
}

function priceIn(draft: VerificationDraft, plan: WrittenPlacementPlan, own: Own, change: Change): FoundPrice {
  const written = (plan.prices as NonNullable<WrittenPlacementPlan["prices"]>)[change];
  const { rate, value, bound, reason } = written;
  const path = `prices.${change}`;
  const { problem, reason: unsaid, isWider } = changedProblem(change, own.instance, own.model);
  if (problem === null) {
    const isUnsolved = Object.values<string | null>(UNSOLVED).includes(reason);
    return { rate, value: null, reason: isUnsolved ? reason : unsaid, proof: null };
  }
  const { proof: there } = written;
  if (there === undefined) {
    if (value !== null) draft.leaveOut(`${path}.value`, "the file has no certificate of it");
    if (value !== null) draft.leaveOut(`${path}.difference`, "the file has no certificate of it");
    if (bound !== undefined) draft.leaveOut(`${path}.bound`, "the file has no certificate of it");
    if (reason !== null) draft.leaveOut(`${path}.reason`, "how the search ended, in its own words");
    return { rate, value, ...(bound === undefined ? {} : { bound }), reason, proof: null };
  }
  draft.steps.within(`the certificate: ${WORDS[change]}`);
  if (bound !== undefined) {
    if (reason !== UNSOLVED.unproved) draft.leaveOut(`${path}.reason`, "how the search ended, in its own words");
    return refusing("prices", () => ({ rate, value: null, ...boundIn(problem, own, there.certificate), reason }));
  }
  return refusing("prices", () => {
    if (!isWider && there.choices === null) throw new Refusal("prices", `${path}: its placement is missing`);
    const proof: PriceProof = {
      placement: there.choices === null ? null : placementOf(there.choices),
      certificate: there.certificate === null ? null : readCertificate(there.certificate),
    };
    return { rate, value: nearest(worthOf(plan, problem, own, proof)), reason: null, proof };
  });
}

/** What a certificate alone proves of the changed problem. */
function boundIn(problem: PlacementProblem, { certificate: own, value }: Own, written: unknown) {
  const { program } = directProgram(problem);
  const certificate = written === null ? null : readCertificate(written);
  const { bound } = checkCertificate(program, certificate ?? ownOn(program, own));
  if (bound === null) throw new Refusal("prices", "a proof that there is no plan after the change is no bound");
  return { bound: boundBelow(bound, value), proof: { placement: null, certificate } };
}

/** What the changed problem's best placement comes to. Throws {@link Refusal} where the proof leaves more than the gap. */
function worthOf(plan: WrittenPlacementPlan, problem: PlacementProblem, own: Own, proof: PriceProof) {
  const { placement = null, certificate = null } = proof;
  const placed = placement ?? own.placement;
  const [violation] = evaluatePlacement(problem, placed).violations;
  if (violation !== undefined) throw new Refusal("prices", `after the change, ${violation}`);
  const { program, pointOf } = directProgram(problem);
  const checked = certificate ?? ownOn(program, own.certificate);
  const verdict = Verdict.of(program, checked, pointOf(placed), acceptedGap(plan.request));
  if (verdict.value === null || verdict.status !== "proved") {
    const size = some(checked.steps.length, "step");
    throw new Refusal("prices", `the certificate of ${size} about the changed problem leaves more than the gap`);
  }
  return verdict.value;
}

/** The plan's own certificate about another program, where the file says that it holds there too. */
function ownOn(program: Program, certificate: Certificate | null): Certificate {
  if (certificate === null) {
    throw new Refusal(
      "prices",
      "the plan's own certificate is of what is below a ceiling, and no proof after a change",
    );
  }
  return { ...certificate, program: programHash(program) };
}
