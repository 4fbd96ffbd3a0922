import { towerGrouping } from "../../models/tower-partition/build.js";
import { evaluateTowers } from "../../models/tower-partition/evaluate.js";
import { towerInteraction } from "../access/interaction/tower-interaction.js";
import type { TowerPartitionInstance } from "../instance/tower-partition-instance.js";
import { askedGap } from "../plan/row-tiers/asked-gap.js";
import { timingOf } from "../plan/row-tiers/timing.js";
import { assembleTowerPlan, type TowerOutcome, type TowerParts } from "../plan/tower-partition/assemble.js";
import type { BaselineTowers } from "../plan/tower-partition/baseline.js";
import type { WrittenTowerPlan } from "../plan/tower-partition/schema.js";
import type { Grouping } from "../program/grouping/grouping.js";
import { readCertificate } from "../proof/certificate.js";
import { Verdict } from "../proof/verdict.js";
import { some } from "../text/units.js";
import { boundWords, plainText } from "./bound-text.js";
import { compareWritten } from "./compare-written.js";
import { checkProofless } from "./proofless.js";
import { Refusal, refusing } from "./refusal.js";
import { checkRequest } from "./request.js";
import { checkSameInstance } from "./same-instance.js";
import { verifyJoint } from "./tower-joint.js";
import { type Verification, VerificationDraft } from "./verification.js";
import type { VerifySteps } from "./verify-steps.js";

/**
 * Verifies a tower-partition plan against its instance, trusting nothing that the plan says and using none of the code that
 * searched for it: the matrix is read and the program built again, the towers are evaluated in exact arithmetic with zero
 * tolerance, the certificate is checked on the program, and every other field of the file is computed again from these and
 * compared.
 *
 * Throws `InputError` when the instance's matrix cannot be read.
 */
export async function verifyTowerPlan(
  plan: WrittenTowerPlan,
  instance: TowerPartitionInstance,
  steps?: VerifySteps,
): Promise<Verification> {
  const draft = new VerificationDraft(steps);
  if (!checkSameInstance(draft, plan.instance, instance)) return draft.done();
  draft.steps.next("the program of the instance");
  const interaction = await towerInteraction(instance);
  const grouping = towerGrouping(instance, interaction);
  try {
    if (instance.joint !== undefined && plan.method === "optimal") {
      verifyJoint(draft, plan, {
        instance,
        joint: instance.joint,
        interaction,
        baselines: plan.baseline.map(baselineIn),
      });
      return draft.done();
    }
    const numbering = plan.towers === null ? null : numberingIn(plan.towers, grouping);
    if (numbering !== null) checkTowers(draft, grouping, numbering);
    const outcome = checkProof(draft, plan, grouping, numbering);
    draft.steps.next("all other numbers");
    const parts: TowerParts = {
      // The path is the plan's own: it says where the instance was, not what it is.
      instance: { ...instance, file: plan.instance.file },
      grouping,
      method: plan.method,
      request: checkRequest(plan.request),
      outcome,
      numbering,
      baselines: plan.baseline.map(baselineIn),
      relaxed: plan.infeasibility?.relaxed?.numbering ?? null,
      claim: plan.claim,
      timing: timingOf(plan.timing),
    };
    compareWritten(
      draft,
      refusing("numbers", () => assembleTowerPlan(parts)),
      plan,
      "the towers and the certificate",
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    draft.check(error.check, false, error.message);
  }
  return draft.done();
}

/** The tower of each feature. Throws {@link Refusal} unless each of them is in one. */
function numberingIn(towers: readonly (readonly string[])[], { items, groups }: Grouping): readonly number[] {
  if (towers.length !== groups) {
    throw new Refusal("towers", `${groups} towers were expected, ${towers.length} are there`);
  }
  const towerOf = new Map<string, number>();
  for (const [tower, names] of towers.entries()) {
    for (const name of names) {
      if (towerOf.has(name)) throw new Refusal("towers", `the feature ${JSON.stringify(name)} is there twice`);
      towerOf.set(name, tower);
    }
  }
  const numbering = items.map((name) => {
    const tower = towerOf.get(name);
    if (tower === undefined) throw new Refusal("towers", `the feature ${JSON.stringify(name)} is in no tower`);
    return tower;
  });
  const known = new Set(items);
  const stray = [...towerOf.keys()].find((name) => !known.has(name));
  if (stray !== undefined) throw new Refusal("towers", `the instance has no feature ${JSON.stringify(stray)}`);
  return numbering;
}

function checkTowers(draft: VerificationDraft, grouping: Grouping, numbering: readonly number[]): void {
  draft.check(
    "towers",
    true,
    `each of ${some(grouping.items.length, "feature")} is in one of ${some(grouping.groups, "tower")}`,
  );
  const [violation] = evaluateTowers(grouping, numbering).violations;
  if (violation !== undefined) throw new Refusal("feasible", violation);
  const what = grouping.load === null ? "sizes" : "sizes and loads";
  draft.check("feasible", true, `${what} are within the limits, in exact arithmetic with zero tolerance`);
}

function checkProof(
  draft: VerificationDraft,
  plan: WrittenTowerPlan,
  grouping: Grouping,
  numbering: readonly number[] | null,
): TowerOutcome | null {
  draft.steps.next("the certificate");
  if (checkProofless(draft, plan)) return null;
  return refusing("certificate", () => {
    const certificate = readCertificate(plan.certificate);
    const size = some(certificate.steps.length, "step");
    draft.steps.within(`the certificate: ${size}`);
    const verdict = Verdict.of(grouping, certificate, numbering, askedGap(plan.request.gap));
    draft.check(
      "certificate",
      true,
      verdict.bound === null
        ? `no partition is within the limits: ${size}, checked in exact arithmetic`
        : `${boundWords("partition", verdict.bound, verdict.value, plainText(null))}: ${size}, checked in exact arithmetic`,
    );
    return { verdict, certificate };
  });
}

function baselineIn({ method, numbering, reason }: WrittenTowerPlan["baseline"][number]): BaselineTowers {
  return numbering === null ? { method, numbering, reason: reason ?? "" } : { method, numbering, reason: null };
}
