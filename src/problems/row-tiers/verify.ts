import { buildRowTiers, type RowTiersModel } from "../../../models/row-tiers/build.js";
import { tableClasses } from "../../access/table-classes.js";
import { evaluateLadder, type LadderPoint } from "../../program/ladder/evaluate.js";
import { columnCount } from "../../program/ladder/ladder.js";
import { count, some } from "../../text/units.js";
import { SECONDS } from "../../text/value-unit.js";
import { canonicalJson } from "../plan-file/canonical-json.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { checkWritten } from "../verification/certificate.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkProofless } from "../verification/proofless.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { checkRequest } from "../verification/request.js";
import { checkPublished } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { ROW_TIERS } from "./coverage.js";
import type { RowTiersInstance, Tier } from "./instance/instance.js";
import { assemblePlan, type PlanOutcome, type PlanParts } from "./plan-file/assemble.js";
import type { Assignment, Run } from "./plan-file/assignment.js";
import type { BaselineRuns, RowTiersAccess } from "./plan-file/baseline.js";
import type { WrittenPlan } from "./plan-file/schema.js";

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
    const model = buildRowTiers(instance, access);
    const request = checkRequest(plan.request);
    const assignment = assignmentIn(plan, instance);
    const point = checkRuns(draft, model, assignment);
    const outcome = checkProof(draft, plan, model, point);
    const given = { input: { instance, access }, seed: request.seed };
    const baselines = checkPublished(draft, methods, given, plan, {
      written: plan.baseline.map((one) => ({ result: baselineIn(one), isStopped: false })),
      isResult: (result) => canonicalJson(result.assignment) === canonicalJson(assignment),
    });
    draft.steps.next("all other numbers");
    const parts: PlanParts = {
      ...sharedParts(plan, instance),
      access,
      budgetBytes: model.budgetBytes,
      outcome,
      assignment,
      baselines,
    };
    const expected = refusing("numbers", () => assemblePlan(parts));
    compareWritten(draft, { expected, written: plan }, ROW_TIERS, "the runs and the certificate");
  });
}

function assignmentIn(plan: WrittenPlan, instance: RowTiersInstance): Assignment | null {
  if (plan.tables.length !== instance.tables.length) {
    throw new Refusal("runs", `${some(instance.tables.length, "table")} expected, ${count(plan.tables.length)} there`);
  }
  if (plan.status === "infeasible") return null;
  return runsIn(plan.tables.map(({ runs }) => runs));
}

function runsIn(tables: readonly (readonly (readonly [number, string])[])[]): Assignment {
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
  const { violations } = evaluateLadder(model.ladder, point);
  const runs = assignment.reduce((sum, list) => sum + list.length, 0);
  draft.check(
    "runs",
    true,
    `${some(runs, "run")} ${runs === 1 ? "holds" : "hold"} every row of ${some(assignment.length, "table")} once, in allowed tiers`,
  );
  const first = violations[0];
  if (first !== undefined) {
    throw new Refusal("feasible", `the runs break "${first.name}" by ${first.amount.toNumber()}`);
  }
  draft.check("feasible", true, "within the budget of memory, in exact arithmetic with zero tolerance");
  return point;
}

function checkProof(
  draft: VerificationDraft,
  plan: WrittenPlan,
  model: RowTiersModel,
  point: LadderPoint | null,
): PlanOutcome | null {
  draft.steps.next("the certificate");
  if (checkProofless(draft, plan)) return null;
  const { ladder, structure } = model;
  return refusing("certificate", () => {
    const words = { what: "plan", limits: "the budget", columns: columnCount(ladder), unit: SECONDS } as const;
    const checked = checkWritten(draft, plan, ladder, point, words);
    const memoryRow = ladder.rows[structure.memoryRow]?.name as string;
    const hostRow = structure.hostRow === null ? null : (ladder.rows[structure.hostRow]?.name as string);
    return { ...checked, ladder, memoryRow, hostRow, point };
  });
}

function baselineIn({ method, runs, reason }: WrittenPlan["baseline"][number]): BaselineRuns {
  return runs === null
    ? { method, assignment: null, reason: reason ?? "" }
    : { method, assignment: runsIn(runs), reason: null };
}
