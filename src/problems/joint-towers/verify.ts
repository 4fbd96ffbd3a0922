import { jointGrouping } from "../../../models/joint-towers/grouping.js";
import { towerPlacementProblem } from "../../../models/joint-towers/placement-problem.js";
import type { TowerShape } from "../../../models/joint-towers/setting.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import { towerProblem } from "../../../models/tower-partition/build.js";
import { evaluateTowers } from "../../../models/tower-partition/evaluate.js";
import type { TowerProblem } from "../../../models/tower-partition/problem.js";
import { towerInteraction } from "../../access/interaction/tower-interaction.js";
import type { TowerJoint, TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import type { askedGap } from "../../plan-file/asked-gap.js";
import { exactOrNull } from "../../plan-file/exact-text.js";
import { EXACT_METHOD } from "../../plan-file/method-names.js";
import { readCertificate } from "../../proof/certificate.js";
import { relativeGap, Verdict } from "../../proof/verdict.js";
import { some } from "../../text/units.js";
import { checkedProof } from "../table-placement/plan-file/checked-proof.js";
import { placementOf } from "../table-placement/plan-file/written-choices.js";
import { towerNumbers } from "../tower-partition/instance/joint.js";
import type { TowerOutcome } from "../tower-partition/plan-file/assemble.js";
import type { BaselineTowers } from "../tower-partition/plan-file/baseline.js";
import { baselinesIn } from "../tower-partition/verify.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { compareWritten } from "../verification/compare-written.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap, checkRequest, tellGap } from "../verification/request.js";
import { rerunBaselines } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { assembleJointPlan } from "./plan-file/assemble.js";
import type { JointTowersPlan } from "./plan-file/plan-file.js";
import { jointTowersPlanSchema, type WrittenJointPlan, type WrittenJointTowersPlan } from "./plan-file/plan-file.js";
import type { JointPlacementParts, JointRowParts } from "./plan-file/row.js";
import { unplaceableOf } from "./plan-file/written-unplaceable.js";

/**
 * Verifies the plan of a joint choice: for every (T, K) that the cluster allows, the partition and the placement of
 * each tower are evaluated with zero tolerance and their certificates checked on programs built anew; then every other
 * field is computed again.
 *
 * Throws `InputError` when the instance's matrix cannot be read.
 */
export async function verifyJointPlan(
  plan: WrittenJointTowersPlan,
  instance: TowerPartitionInstance,
  { steps, methods }: VerifyHow<TowerProblem, BaselineTowers> = {},
): Promise<Verification> {
  return verifyAgainst(plan, instance, steps, async (draft) => {
    const interaction = await towerInteraction(instance);
    checkJoint(draft, plan, { instance, interaction, methods });
  });
}

/** The instance of a joint choice with its matrix (F × F by rows), and the published methods. */
interface JointWitness extends Pick<VerifyHow<TowerProblem, BaselineTowers>, "methods"> {
  readonly instance: TowerPartitionInstance;
  readonly interaction: Float64Array;
}

/** Throws {@link Refusal} at the first thing that does not hold. */
function checkJoint(
  draft: VerificationDraft,
  plan: WrittenJointTowersPlan,
  { instance, interaction, methods }: JointWitness,
): void {
  const { joint: written } = plan;
  const { joint } = instance;
  if (joint === undefined || plan.method !== EXACT_METHOD) {
    throw new Refusal(
      "joint",
      "only the exact method chooses towers with tables, where the instance has a cluster and tables",
    );
  }
  const request = checkRequest(plan.request);
  const gap = acceptedGap(request);
  const shapes = towerNumbers(joint, instance.features.length).map((towers) => ({
    ...{ towers, hostsPerTower: joint.cluster.nodes / towers },
  }));
  if (written.rows.length !== shapes.length) {
    throw new Refusal(
      "joint",
      `${some(shapes.length, "row")} expected, one for each number of towers; ${written.rows.length} there`,
    );
  }
  const { chosen } = written;
  // Published methods run for the chosen number of towers, which has to be one.
  if (chosen !== null && !shapes.some(({ towers }) => towers === chosen.towers)) {
    throw new Refusal(
      "joint",
      `${JSON.stringify(chosen.towers)} is none of the numbers of towers that the cluster has`,
    );
  }
  draft.steps.next("the certificates");
  const rows = shapes.map((shape, k): JointRowParts => {
    draft.steps.within(`the certificates of ${some(shape.towers, "tower")}: number ${k + 1} of ${shapes.length}`);
    const row = written.rows[k] as WrittenJointPlan["rows"][number];
    const isChosen = chosen?.towers === shape.towers;
    const certificate = isChosen ? plan.certificate : row.partition.certificate;
    return rowIn({ instance, joint, interaction, shape, gap }, row, certificate);
  });
  const proofs = rows.reduce(
    (sum, { outcome, placements, unplaceable }) =>
      sum + count(outcome, ...placements.map((one) => one.outcome), ...unplaceable),
    0,
  );
  const flat = flatIn({ instance, joint, gap }, written, rows);
  draft.steps.next("the published methods");
  const baselines =
    chosen === null || plan.status === "infeasible"
      ? []
      : rerunBaselines(
          draft,
          methods,
          { input: towerProblem({ ...instance, towers: chosen.towers }, interaction), request },
          baselinesIn(plan),
        );
  draft.steps.next("all other numbers");
  draft.check(
    "towers",
    true,
    `${some(rows.length, "number")} of towers: every feature in one tower, every table on its tower's GPUs`,
  );
  draft.check(
    "feasible",
    true,
    "sizes, loads and memory are within the limits, in exact arithmetic with zero tolerance",
  );
  draft.check(
    "certificate",
    true,
    `${some(proofs + (written.flat.placement === null ? 0 : count(flat.outcome)), "proof")} checked in exact arithmetic`,
  );
  const parts = {
    ...sharedParts(plan, instance),
    ...{ joint, rows, flat, baselines },
  };
  const expected = refusing("numbers", () => assembleJointPlan(parts));
  if (expected.joint.flat.status !== "proved") draft.leaveOut("joint.flat", FLAT);
  tellGap(draft, request, secondsOf(expected));
  compareWritten(
    draft,
    { expected, written: plan },
    jointTowersPlanSchema,
    "the towers, the placements and the certificates",
  );
}

/** What is said of the flat exchange's placement where no certificate shows that it is the best. */
const FLAT =
  "no certificate shows that no placement of it is better; its numbers follow from the placement that is there";

/** How far the seconds of a joint plan are from their bound, exactly. */
function secondsOf({ joint }: JointTowersPlan) {
  const value = exactOrNull(joint.seconds.exact.value);
  const bound = exactOrNull(joint.seconds.exact.bound);
  return { value, bound, gap: value === null || bound === null ? null : relativeGap(value, bound) };
}

function count(...outcomes: readonly (object | null)[]): number {
  return outcomes.filter((outcome) => outcome !== null).length;
}

interface RowWitness {
  readonly instance: TowerPartitionInstance;
  readonly joint: TowerJoint;
  readonly interaction: Float64Array;
  readonly shape: TowerShape;
  readonly gap: ReturnType<typeof askedGap>;
}

function rowIn(
  { instance, joint, interaction, shape, gap }: RowWitness,
  row: WrittenJointPlan["rows"][number],
  certificate: unknown,
): JointRowParts {
  const where = `${shape.towers} towers`;
  const unplaceable = refusing("certificate", () =>
    (row.partition.unplaceable ?? []).map((one) => unplaceableOf(one, instance, joint, shape)),
  );
  const sets = unplaceable.map(({ features }) => features);
  const grouping = jointGrouping(instance, joint, shape, interaction, sets);
  const { numbering } = row.partition;
  const towers = numbering === null ? [] : refusing("towers", () => feasibleTowers(grouping, numbering, where));
  const outcome = refusing("certificate", (): TowerOutcome | null => {
    if (certificate === null) return null;
    const read = readCertificate(certificate);
    return { verdict: Verdict.of(grouping, read, numbering, gap), certificate: read };
  });
  const written = row.placements ?? [];
  if (written.length !== towers.length) {
    throw new Refusal("towers", `${where}: ${some(towers.length, "placement")} expected, ${written.length} there`);
  }
  const placements = written.map((one, tower) => {
    const name = `${instance.name} tower ${tower}`;
    const features = towers[tower] as readonly number[];
    const problem = towerPlacementProblem(joint, name, features, instance.features, shape.hostsPerTower);
    return placementIn(problem, one, gap, `${where}, tower ${tower}`);
  });
  return { shape, grouping, outcome, numbering, placements, unplaceable };
}

function feasibleTowers(
  grouping: JointRowParts["grouping"],
  numbering: readonly number[],
  where: string,
): readonly (readonly number[])[] {
  const { towers, violations } = evaluateTowers(grouping, numbering);
  const [violation] = violations;
  if (violation !== undefined) throw new Refusal("feasible", `${where}: ${violation}`);
  return towers;
}

type WrittenPlacement = NonNullable<WrittenJointPlan["flat"]["placement"]>;

function placementIn(
  problem: PlacementProblem,
  written: WrittenPlacement,
  gap: RowWitness["gap"],
  where: string,
): JointPlacementParts {
  const placement = written.choices === null ? null : placementOf(written.choices);
  if (placement !== null) {
    const [violation] = refusing("placement", () => evaluatePlacement(problem, placement)).violations;
    if (violation !== undefined) throw new Refusal("feasible", `${where}: ${violation}`);
  }
  const outcome =
    written.certificate === null ? null : refusing("certificate", () => checkedProof(problem, written, placement, gap));
  return { problem, placement, outcome };
}

/** The flat exchange's placement: that of the row of one tower where there is one. */
function flatIn(
  { instance, joint, gap }: Pick<RowWitness, "instance" | "joint" | "gap">,
  { flat }: WrittenJointPlan,
  rows: readonly JointRowParts[],
): JointPlacementParts {
  const row = rows.find(({ shape }) => shape.towers === 1);
  if (row?.placements[0] !== undefined) return row.placements[0];
  const { features } = instance;
  const problem = towerPlacementProblem(joint, instance.name, [...features.keys()], features, joint.cluster.nodes);
  if (flat.placement === null) throw new Refusal("joint", "the flat exchange has no placement");
  return placementIn(problem, flat.placement, gap, "the flat exchange");
}
