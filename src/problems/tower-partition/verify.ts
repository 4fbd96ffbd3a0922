import { towerGrouping, towerProblem } from "../../../models/tower-partition/build.js";
import { evaluateTowers } from "../../../models/tower-partition/evaluate.js";
import type { TowerProblem } from "../../../models/tower-partition/problem.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { EXACT_METHOD } from "../../plan-file/method-names.js";
import { STOPPED } from "../../plan-file/stopped.js";
import type { Grouping } from "../../program/grouping/grouping.js";
import { count, some } from "../../text/units.js";
import { plainUnit } from "../../text/value-unit.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { checkWritten } from "../verification/certificate.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkProofless } from "../verification/proofless.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { checkRequest } from "../verification/request.js";
import { checkPublished, plansBeside, type WrittenResult } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { assembleTowerPlan, type TowerOutcome, type TowerParts } from "./plan-file/assemble.js";
import { type BaselineTowers, baselineIn } from "./plan-file/baseline.js";
import { towerPartitionPlanSchema, type WrittenTowerPlan } from "./plan-file/plan-file.js";

/**
 * Verifies a tower-partition plan against its instance, trusting nothing that the plan says: the matrix is read and the
 * program built again, the towers are evaluated in exact arithmetic with zero tolerance, and the certificate is checked
 * on the program. Every other field of the file is computed again from these and compared, or listed as not checked.
 * Models and evaluation are those that planning uses; the checker of certificates imports no solver and no method.
 *
 * Throws `InputError` when the instance's matrix cannot be read.
 */
export async function verifyTowerPlan(
  plan: WrittenTowerPlan,
  instance: TowerPartitionInstance,
  { steps, methods }: VerifyHow<TowerProblem, BaselineTowers> = {},
): Promise<Verification> {
  return verifyAgainst(plan, instance, steps, async (draft) => {
    const interaction = await towerInteraction(instance);
    const grouping = towerGrouping(instance, interaction);
    const request = checkRequest(plan.request);
    if (instance.joint !== undefined && plan.method === EXACT_METHOD) {
      throw new Refusal("joint", "the instance has a cluster and tables, the plan has no joint");
    }
    const numbering = plan.towers === null ? null : numberingIn(plan.towers, grouping);
    if (numbering !== null) checkTowers(draft, grouping, numbering);
    const outcome = checkProof(draft, plan, grouping, numbering);
    const given = { input: towerProblem(instance, interaction), request };
    const baselines = checkPublished(draft, methods, given, plan, {
      written: baselinesIn(plan),
      isResult: (result) => sameTowers(result.numbering, numbering),
    });
    draft.steps.next("all other numbers");
    const parts: TowerParts = {
      ...sharedParts(plan, instance),
      grouping,
      outcome,
      numbering,
      baselines,
      known: plansBeside(draft, methods, given, plan),
      relaxed: plan.infeasibility?.relaxed?.numbering ?? null,
      isStopped: plan.stopped === true,
    };
    const expected = refusing("numbers", () => assembleTowerPlan(parts));
    compareWritten(draft, { expected, written: plan }, towerPartitionPlanSchema, "the towers and the certificate");
  });
}

/** The tower of each feature. Throws {@link Refusal} unless each of them is in one. */
export function numberingIn(
  towers: readonly (readonly string[])[],
  { elements, clusters }: Grouping,
): readonly number[] {
  if (towers.length !== clusters) {
    throw new Refusal("towers", `${some(clusters, "tower")} expected, ${count(towers.length)} there`);
  }
  const towerOf = new Map<string, number>();
  for (const [tower, names] of towers.entries()) {
    for (const name of names) {
      if (towerOf.has(name)) throw new Refusal("towers", `the feature ${JSON.stringify(name)} is there twice`);
      towerOf.set(name, tower);
    }
  }
  const numbering = elements.map((name) => {
    const tower = towerOf.get(name);
    if (tower === undefined) throw new Refusal("towers", `the feature ${JSON.stringify(name)} is in no tower`);
    return tower;
  });
  const known = new Set(elements);
  const stray = [...towerOf.keys()].find((name) => !known.has(name));
  if (stray !== undefined) throw new Refusal("towers", `the instance has no feature ${JSON.stringify(stray)}`);
  return numbering;
}

function checkTowers(draft: VerificationDraft, grouping: Grouping, numbering: readonly number[]): void {
  draft.check(
    "towers",
    true,
    `each of ${some(grouping.elements.length, "feature")} is in one of ${some(grouping.clusters, "tower")}`,
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
  const words = { what: "partition", unit: plainUnit(null) } as const;
  return refusing("certificate", () => checkWritten(draft, plan, grouping, numbering, words));
}

/** The published methods' towers as a file has them. */
export function baselinesIn({
  baseline,
}: Pick<WrittenTowerPlan, "baseline">): readonly WrittenResult<BaselineTowers>[] {
  return baseline.map((one) => ({ result: baselineIn(one), isStopped: one.reason === STOPPED }));
}

/** Whether two numberings put the same features together: plans have towers in the order of their first features. */
function sameTowers(one: readonly number[] | null, other: readonly number[] | null): boolean {
  if (one === null || other === null || one.length !== other.length) return false;
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  return one.every((tower, k) => {
    const beside = other[k] as number;
    if (!there.has(tower)) there.set(tower, beside);
    if (!back.has(beside)) back.set(beside, tower);
    return there.get(tower) === beside && back.get(beside) === tower;
  });
}
