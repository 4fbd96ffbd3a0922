import { atStage, buildRowTiers, type Held, type RowTiersModel } from "../../../models/row-tiers/build.js";
import { rowsBefore } from "../../access/rows-before.js";
import { tableClasses } from "../../access/table-classes.js";
import type { Rational } from "../../exact/rational.js";
import { allowedValue } from "../../instance/allowance.js";
import type { Assignment, Run } from "../../instance/types/assignment.js";
import { goalUnit, type RowTiersGoal, type RowTiersInstance, type Tier } from "../../instance/types/row-tiers.js";
import { canonicalJson } from "../../plan-file/canonical-json.js";
import { evaluateLadder, type LadderPoint } from "../../program/ladder/evaluate.js";
import { columnCount } from "../../program/ladder/ladder.js";
import { count, some } from "../../text/units.js";
import { BYTES, SECONDS } from "../../text/value-unit.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { checkWritten } from "../verification/certificate.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkProofless } from "../verification/proofless.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { checkRequest } from "../verification/request.js";
import { checkPublished, plansBeside } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { assemblePlan } from "./plan-file/assemble.js";
import type { BaselineRuns, RowTiersAccess } from "./plan-file/baseline.js";
import type { PlanOutcome, PlanParts, StageParts } from "./plan-file/parts.js";
import { rowTiersPlanSchema, type WrittenPlan } from "./plan-file/plan-file.js";

/**
 * Verifies a row-tiers plan against its instance, trusting nothing that the plan says: the instance's classes and
 * program are built again, the runs are evaluated in exact arithmetic with zero tolerance, and the certificate is
 * checked on the program. Every other field of the file is computed again from these and compared, or listed as not
 * checked. Models and evaluation are those that planning uses; the checker of certificates imports no solver and no
 * method.
 *
 * Throws `InputError` when a counts file of the instance cannot be read.
 */
export async function verifyRowTiersPlan(
  plan: WrittenPlan,
  instance: RowTiersInstance,
  { steps, methods }: VerifyHow<RowTiersAccess, BaselineRuns> = {},
): Promise<Verification> {
  return verifyAgainst(plan, instance, steps, async (draft) => {
    const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
    const before = await rowsBefore(instance);
    const model = buildRowTiers(instance, access, before);
    const request = checkRequest(plan.request);
    const assignment = assignmentIn(plan, instance);
    const point = checkRuns(draft, model, assignment);
    const stages = instance.goals === undefined ? null : checkStages(draft, plan, model, instance.goals, assignment);
    const outcome = stages?.[0]?.outcome ?? checkProof(draft, plan, firstOf(model), point);
    const given = { input: { instance, access }, request };
    const baselines = checkPublished(draft, methods, given, plan, {
      written: plan.baseline.map((one) => ({ result: baselineIn(one), isStopped: false })),
      isResult: (result) => canonicalJson(result.assignment) === canonicalJson(assignment),
    });
    draft.steps.next("all other numbers");
    const parts: PlanParts = {
      ...sharedParts(plan, instance),
      access,
      before,
      budgetBytes: model.budgetBytes,
      outcome,
      ...(stages === null ? {} : { stages }),
      assignment,
      baselines,
      known: plansBeside(draft, methods, given, plan),
    };
    const expected = refusing("numbers", () => assemblePlan(parts));
    compareWritten(draft, { expected, written: plan }, rowTiersPlanSchema, "the runs and the certificate");
  });
}

function assignmentIn(plan: WrittenPlan, instance: RowTiersInstance): Assignment | null {
  if (plan.tables.length !== instance.tables.length) {
    throw new Refusal("runs", `${some(instance.tables.length, "table")} expected, ${count(plan.tables.length)} there`);
  }
  if (plan.status === "infeasible") return null;
  return runsIn(plan.tables.map(({ runs }) => runs));
}

/** Runs as a plan file has them. Throws {@link Refusal} for one of no rows. */
export function runsIn(tables: readonly (readonly (readonly [number, string])[])[]): Assignment {
  return tables.map((runs) =>
    runs.map(([rows, tier]): Run => {
      if (!Number.isSafeInteger(rows) || rows < 1) throw new Refusal("runs", `a run of ${rows} rows is none`);
      // Whether the instance allows the tier is for the model to say.
      return { rows, tier: tier as Tier };
    }),
  );
}

/** The program's point for the runs, feasible with zero tolerance. */
function checkRuns(draft: VerificationDraft, model: RowTiersModel, assignment: Assignment | null): LadderPoint | null {
  if (assignment === null) return null;
  const point = refusing("runs", () => model.pointOf(assignment));
  const runs = assignment.reduce((sum, list) => sum + list.length, 0);
  draft.check(
    "runs",
    true,
    `${some(runs, "run")} ${runs === 1 ? "holds" : "hold"} every row of ${some(assignment.length, "table")} once, in allowed tiers`,
  );
  checkWithin(model, assignment);
  draft.check("feasible", true, "within the budget of memory, in exact arithmetic with zero tolerance");
  return point;
}

/** Where there is no plan, it is the first goal's program that has none. */
function firstOf(model: RowTiersModel): RowTiersModel {
  const first = model.instance.goals?.[0];
  return first === undefined ? model : atStage(model, { minimize: first.minimize, held: [] });
}

/** Every goal's own plan and certificate, each on the program in which the earlier ones are held. */
function checkStages(
  draft: VerificationDraft,
  plan: WrittenPlan,
  model: RowTiersModel,
  goals: readonly RowTiersGoal[],
  assignment: Assignment | null,
): readonly StageParts[] {
  if (assignment === null || plan.status === "heuristic" || checkProofless(draft, plan)) return [];
  const written = plan.stages ?? [];
  if (written.length !== goals.length) {
    throw new Refusal("stages", `${some(goals.length, "goal")} expected, ${count(written.length)} there`);
  }
  draft.steps.next("the certificates");
  const held: Held[] = [];
  return goals.map((goal, k) => {
    const { minimize } = goal;
    const { runs, certificate: further } = written[k] as (typeof written)[number];
    const isLast = k === goals.length - 1;
    if ((runs === null) !== isLast)
      throw new Refusal("stages", `the runs of ${minimize} are ${isLast ? "twice" : "not"} there`);
    if ((further === null) !== (k === 0)) {
      throw new Refusal("stages", `the certificate of ${minimize} is ${k === 0 ? "twice" : "not"} there`);
    }
    const own = runs === null ? assignment : runsIn(runs);
    const stage = atStage(model, { minimize, held: held.slice() });
    return refusing(`certificate of ${minimize}`, () => {
      if (!isLast) checkWithin(model, own);
      const point = stage.pointOf(own);
      const checked = checkWritten(
        draft,
        { request: plan.request, certificate: k === 0 ? plan.certificate : further },
        stage.ladder,
        point,
        {
          name: `certificate of ${minimize}`,
          what: "plan",
          limits: "the limits",
          columns: columnCount(stage.ladder),
          unit: goalUnit(minimize) === "s" ? SECONDS : BYTES,
        },
      );
      held.push({ goal: minimize, limit: allowedValue(checked.verdict.value as Rational, goal.allow) });
      return { goal, outcome: { ...checked, ladder: stage.ladder, point }, assignment: own };
    });
  });
}

/** Throws {@link Refusal} where runs break a budget of the instance. */
function checkWithin(model: RowTiersModel, assignment: Assignment): void {
  const { violations } = evaluateLadder(model.ladder, model.pointOf(assignment));
  const first = violations[0];
  if (first !== undefined) {
    throw new Refusal("feasible", `the runs break "${first.name}" by ${first.amount.toNumber()}`);
  }
}

function checkProof(
  draft: VerificationDraft,
  plan: WrittenPlan,
  model: RowTiersModel,
  point: LadderPoint | null,
): PlanOutcome | null {
  draft.steps.next("the certificate");
  if (checkProofless(draft, plan)) return null;
  const { ladder } = model;
  return refusing("certificate", () => {
    const words = { what: "plan", limits: "the budget", columns: columnCount(ladder), unit: SECONDS } as const;
    const checked = checkWritten(draft, plan, ladder, point, words);
    return { ...checked, ladder, point };
  });
}

function baselineIn({ method, runs, reason }: WrittenPlan["baseline"][number]): BaselineRuns {
  return runs === null
    ? { method, assignment: null, reason: reason ?? "" }
    : { method, assignment: runsIn(runs), reason: null };
}
