import { type GroupedInstance, groupInstance } from "../../../models/grouped-placement/group-instance.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { type PlacementModel, placementModel } from "../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { provedProgram, type WrittenProof } from "../../../models/table-placement/proved-program.js";
import type { Rational } from "../../exact/rational.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { exactOrNull } from "../../plan-file/exact-text.js";
import { EXACT_METHOD } from "../../plan-file/method-names.js";
import { STOPPED } from "../../plan-file/stopped.js";
import { readCertificate } from "../../proof/certificate.js";
import { checkCertificate } from "../../proof/check.js";
import { relativeGap } from "../../proof/verdict.js";
import { some } from "../../text/units.js";
import { type BaselinePlacement, baselineIn } from "../table-placement/plan-file/baseline.js";
import { checkedProof } from "../table-placement/plan-file/checked-proof.js";
import { onAsWritten } from "../table-placement/plan-file/proof-on.js";
import { placementOf } from "../table-placement/plan-file/written-choices.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { compareWritten } from "../verification/compare-written.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap, checkRequest, tellGap } from "../verification/request.js";
import { rerunBaselines } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { assembleGroupedPlan } from "./plan-file/assemble.js";
import { groupedPlacementPlanSchema, type WrittenGroupedPlan } from "./plan-file/schema.js";
import type { GroupSizeParts, ProvedSize } from "./plan-file/size.js";

/**
 * Verifies a plan of groups: for every size that the instance allows the problem of one group is built anew, its placement
 * evaluated with zero tolerance and its certificate checked; then every other field is computed again, the least bound of all
 * sizes among them. A size without a certificate leaves the whole without a bound.
 *
 * Throws `InputError` when the instance's cost model cannot be read.
 */
export async function verifyGroupedPlan(
  plan: WrittenGroupedPlan,
  instance: TablePlacementInstance,
  { steps, methods }: VerifyHow<PlacementModel, BaselinePlacement> = {},
): Promise<Verification> {
  return verifyAgainst(plan, instance, steps, async (draft) => {
    if (instance.groups === undefined) throw new Refusal("groups", "the instance has no groups, and the plan has");
    checkGroups(draft, plan, instance as GroupedInstance, methods);
  });
}

function checkGroups(
  draft: VerificationDraft,
  plan: WrittenGroupedPlan,
  instance: GroupedInstance,
  methods: VerifyHow<PlacementModel, BaselinePlacement>["methods"],
): void {
  const request = checkRequest(plan.request);
  const gap = acceptedGap(request);
  const { sizes } = instance.groups;
  const { chosen, sizes: written } = plan.groups;
  if (plan.method !== EXACT_METHOD) throw new Refusal("groups", "only the exact method chooses the size of groups");
  if (written.map(({ size }) => size).join() !== sizes.join()) {
    const found = written.map(({ size }) => size).join(", ");
    throw new Refusal("groups", `the sizes ${sizes.join(", ")} expected, ${found || "none"} there`);
  }
  if (chosen !== null && !sizes.includes(chosen)) throw new Refusal("groups", `${chosen} is none of the sizes`);
  draft.steps.next("the certificates");
  const models = new Map<number, PlacementModel>();
  // The plan's own certificate is that of the size it speaks of.
  const about = chosen ?? (sizes.at(-1) as number);
  const parts = written.map((row, k): GroupSizeParts => {
    draft.steps.within(`the certificate of groups of ${row.size}: number ${k + 1} of ${written.length}`);
    const own = groupInstance(instance, row.size);
    const model = placementModel(own);
    models.set(row.size, model);
    const placement = placementIn(plan, row, model.problem, row.size === chosen);
    const proof = row.size === about && plan.certificate !== null ? plan : row;
    const where = `groups of ${row.size}`;
    return {
      instance: own,
      problem: model.problem,
      placement,
      proved: provedIn(model.problem, placement, proof, gap, where),
    };
  });
  const proofs = parts.filter(({ proved }) => proved !== null).length;
  draft.check("groups", true, `${some(sizes.length, "size")} of groups: every shard where it may be`);
  draft.check("feasible", true, "within the memory of every device, in exact arithmetic with zero tolerance");
  draft.check(
    "certificate",
    true,
    `${some(proofs, "proof")}, one for each size that has one, checked in exact arithmetic`,
  );
  draft.steps.next("the published methods");
  const baselines =
    chosen === null
      ? []
      : rerunBaselines(
          draft,
          methods,
          { input: models.get(chosen) as PlacementModel, request },
          plan.baseline.map((one) => ({ result: baselineIn(one), isStopped: one.reason === STOPPED })),
        );
  draft.steps.next("all other numbers");
  if (plan.stopped === true) draft.leaveOut("stopped", "whether it was stopped is the file's word");
  const expected = refusing("numbers", () =>
    assembleGroupedPlan({
      ...sharedParts(plan, instance),
      ...{ sizes: parts, baselines, isStopped: plan.stopped === true },
    }),
  );
  const { value, bound } = expected.exact;
  const [least, best] = [exactOrNull(bound), exactOrNull(value)];
  if (least !== null && best !== null) {
    tellGap(draft, request, { value: best, bound: least, gap: relativeGap(best, least) });
  }
  compareWritten(draft, { expected, written: plan }, groupedPlacementPlanSchema, "the placements and the certificates");
}

/** The placement of a size as the plan has it. Throws {@link Refusal} unless it is one of the problem. */
export function placementIn(
  plan: WrittenGroupedPlan,
  { size, choices }: WrittenGroupedPlan["groups"]["sizes"][number],
  problem: PlacementProblem,
  isChosen: boolean,
): Placement | null {
  const own = isChosen ? { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) } : null;
  const placement = own ?? (choices === null ? null : placementOf(choices));
  if (placement === null) return null;
  if (placement.choices.length !== problem.tables.length) {
    const there = some(placement.choices.length, "table");
    throw new Refusal("groups", `groups of ${size}: ${some(problem.tables.length, "table")} expected, ${there} there`);
  }
  const [violation] = refusing("groups", () => evaluatePlacement(problem, placement)).violations;
  if (violation !== undefined) throw new Refusal("feasible", `groups of ${size}: ${violation}`);
  return placement;
}

function provedIn(
  problem: PlacementProblem,
  placement: Placement | null,
  written: WrittenProof,
  gap: Rational,
  where: string,
): ProvedSize | null {
  if (written.certificate === null) return null;
  try {
    return refusing("certificate", () => {
      const certificate = readCertificate(written.certificate);
      if (placement !== null || certificate.claim.kind === "infeasible") {
        const proved = checkedProof(problem, written, placement, gap);
        return { ...proved, bound: proved.verdict.bound };
      }
      const built = provedProgram(problem, written);
      const { bound } = checkCertificate(built.program, certificate);
      return { certificate, on: onAsWritten(built, written), bound, verdict: null };
    });
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.check, `${where}: ${error.message}`);
    throw error;
  }
}
