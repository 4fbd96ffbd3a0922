import type { PointedProgram } from "../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { type PlacementModel, placementModel } from "../../../models/table-placement/from-instance.js";
import { secondProgram } from "../../../models/table-placement/goal-program.js";
import { evaluateNeural } from "../../../models/table-placement/learned/evaluate.js";
import { type NeuralHead, neuralHead } from "../../../models/table-placement/learned/head.js";
import type { Placement, PlacementProblem } from "../../../models/table-placement/problem.js";
import { provedFirst, provedStageProgram, type WrittenProof } from "../../../models/table-placement/proved-program.js";
import { stageProblem } from "../../../models/table-placement/stage-problem.js";
import { type Held, stagesOf } from "../../../models/table-placement/stages.js";
import { Rational } from "../../exact/rational.js";
import { allowedValue } from "../../instance/allowance.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { canonicalJson } from "../../plan-file/canonical-json.js";
import { STOPPED } from "../../plan-file/stopped.js";
import { Verdict } from "../../proof/verdict.js";
import { count, some } from "../../text/units.js";
import { goalUnitText, plainUnit, type ValueUnit } from "../../text/value-unit.js";
import { sharedParts, verifyAgainst } from "../verification/against-instance.js";
import { checkWritten } from "../verification/certificate.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkProofless } from "../verification/proofless.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap, checkRequest } from "../verification/request.js";
import { checkPublished, plansBeside } from "../verification/rerun.js";
import type { Verification, VerificationDraft } from "../verification/verification.js";
import type { VerifyHow } from "../verification/verify-how.js";
import { assemblePlacementPlan, type PlacementParts } from "./plan-file/assemble.js";
import { type BaselinePlacement, baselineIn } from "./plan-file/baseline.js";
import { tablePlacementPlanSchema, type WrittenPlacementPlan } from "./plan-file/plan-file.js";
import { onAsWritten, type PlacementOutcome } from "./plan-file/proof-on.js";
import type { SecondOutcome } from "./plan-file/second.js";
import type { StageOutcome } from "./plan-file/stages.js";
import { placementOf } from "./plan-file/written-choices.js";
import { checkPrices } from "./verify-prices.js";

/**
 * Verifies a table-placement plan against its instance, trusting nothing that the plan says: the problem and its direct
 * program are built again, the placement is evaluated in exact arithmetic with zero tolerance, and the certificate is
 * checked on the program. Every other field of the file is computed again from these and compared, or listed as not
 * checked. Models and evaluation are those that planning uses; the checker of certificates imports no solver and no
 * method.
 *
 * Throws `InputError` when the instance's cost model cannot be read.
 */
export async function verifyTablePlacementPlan(
  plan: WrittenPlacementPlan,
  instance: TablePlacementInstance,
  { steps, methods }: VerifyHow<PlacementModel, BaselinePlacement> = {},
): Promise<Verification> {
  return verifyAgainst(plan, instance, steps, async (draft) => {
    const model = placementModel(instance);
    const { problem } = model;
    const head = problem.setCost === undefined ? null : neuralHead(instance, problem.setCost);
    const request = checkRequest(plan.request);
    const placement = placementIn(plan, problem);
    if (placement !== null) checkPlacement(draft, problem, placement);
    const outcome = checkProof(draft, plan, { problem, head }, placement);
    const second = placement === null ? null : checkSecond(draft, plan, problem, placement);
    const stages =
      placement === null || outcome === null ? [] : checkStages(draft, plan, { problem, outcome, placement });
    const prices =
      placement === null || outcome === null || head !== null || problem.stages !== undefined
        ? null
        : checkPrices(draft, plan, {
            ...{ instance, model, placement, certificate: outcome.ceiling === undefined ? outcome.certificate : null },
            value: evaluatePlacement(problem, placement).objective,
          });
    const baselines = checkPublished(draft, methods, { input: model, request }, plan, {
      written: plan.baseline.map((one) => ({ result: baselineIn(one), isStopped: one.reason === STOPPED })),
      isResult: (result) => canonicalJson(result.placement) === canonicalJson(placement),
    });
    draft.steps.next("all other numbers");
    const parts: PlacementParts = {
      ...sharedParts(plan, instance),
      problem,
      outcome,
      placement,
      second,
      stages,
      prices,
      baselines,
      known: plansBeside(draft, methods, { input: model, request }, plan),
      relaxed: plan.infeasibility?.relaxed ? placementOf(plan.infeasibility.relaxed.choices) : null,
      ...(head === null ? {} : { evaluate: (...placed) => evaluateNeural(head, ...placed) }),
      isStopped: plan.stopped === true,
    };
    const expected = refusing("numbers", () => assemblePlacementPlan(parts));
    compareWritten(draft, { expected, written: plan }, tablePlacementPlanSchema, "the placement and the certificate");
  });
}

function placementIn(plan: WrittenPlacementPlan, { tables }: PlacementProblem): Placement | null {
  if (plan.status === "infeasible" || (plan.status === "unknown" && plan.tables.length === 0)) return null;
  if (plan.tables.length !== tables.length) {
    throw new Refusal("placement", `${some(tables.length, "table")} expected, ${count(plan.tables.length)} there`);
  }
  return { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
}

function checkPlacement(draft: VerificationDraft, problem: PlacementProblem, placement: Placement): void {
  const { violations } = refusing("placement", () => evaluatePlacement(problem, placement));
  const shards = placement.choices.reduce((sum, { devices }) => sum + devices.length, 0);
  draft.check(
    "placement",
    true,
    `${some(shards, "shard")} of ${some(placement.choices.length, "table")}, each with one of its options, on ${some(problem.nodes * problem.gpusPerNode, "device")}`,
  );
  const [violation] = violations;
  if (violation !== undefined) throw new Refusal("feasible", violation);
  draft.check(
    "feasible",
    true,
    "every shard is where it may be, within the memory of every device, with zero tolerance",
  );
}

function checkProof(
  draft: VerificationDraft,
  plan: WrittenPlacementPlan,
  { problem, head }: { readonly problem: PlacementProblem; readonly head: NeuralHead | null },
  placement: Placement | null,
): PlacementOutcome | null {
  draft.steps.next("the certificate");
  if (checkProofless(draft, plan)) return null;
  return refusing("certificate", () => {
    const ceiling = ceilingIn(plan);
    const program = provedFirst({ problem, head, ceiling, placement }, plan);
    const bound = { program, written: plan, what: "certificate" };
    const first = plan.stages?.[0]?.choices ?? null;
    if (placement !== null && first !== null) {
      // The first of several goals is proved for its own placement; the plan's has what is allowed more.
      const told = checkBound(draft, plan, { ...bound, what: "certificate of stage 1" }, placementOf(first));
      return { ...told, verdict: verdictAt(told, program, placement, plan) };
    }
    const outcome = checkBound(draft, plan, bound, placement);
    return ceiling === null ? outcome : { ...outcome, ceiling };
  });
}

/**
 * The cost above which the program leaves placements out. A plan that costs more than its ceiling is refused: by
 * `provedBelow`, or as its point is evaluated in a network's program.
 */
function ceilingIn({ proof, status }: WrittenPlacementPlan): Rational | null {
  if (proof?.ceiling === undefined) return null;
  if (status === "infeasible") throw new Refusal("certificate", "below a ceiling nothing shows that there is no plan");
  return Rational.parse(proof.ceiling);
}

/** The second goal's own proof, on the program whose cap the plan says. */
function checkSecond(
  draft: VerificationDraft,
  plan: WrittenPlacementPlan,
  problem: PlacementProblem,
  placement: Placement,
): SecondOutcome | null {
  const goal = problem.thenMinimize;
  const written = plan.second;
  if (goal === undefined || written === null || written.exact.cap === null) return null;
  const what = "second certificate";
  const { cap: most } = written.exact;
  return refusing(what, () => {
    const cap = Rational.parse(most);
    const bound = { program: secondProgram(problem, goal, cap), written, what };
    return { cap, ...checkBound(draft, plan, bound, placement) };
  });
}

/** Every stage's own placement and proof, on the program of what the stages before it hold. */
function checkStages(
  draft: VerificationDraft,
  plan: WrittenPlacementPlan,
  {
    problem,
    outcome,
    placement,
  }: { readonly problem: PlacementProblem; readonly outcome: PlacementOutcome; readonly placement: Placement },
): StageOutcome[] {
  const { stages } = plan;
  if (stages === undefined || stages === null || problem.stages === undefined) return [];
  const held: Held[] = [];
  const found: StageOutcome[] = [];
  for (const [k, stage] of stagesOf(problem).entries()) {
    const written = stages[k];
    if (written === undefined || written.best === null) break;
    const what = `certificate of stage ${k + 1}`;
    const own = refusing(what, (): StageOutcome => {
      const at = written.choices === null ? placement : placementOf(written.choices);
      const built = provedStageProgram(stageProblem(problem, k, held), k === 0 ? plan : written);
      const proved =
        k === 0
          ? { ...outcome, verdict: verdictAt(outcome, built, at, plan) }
          : checkBound(
              draft,
              plan,
              { program: built, written, what, unit: goalUnitText(written.unit, written.best ?? 0) },
              at,
            );
      return { ...proved, placement: at, most: allowedValue(proved.verdict.value as Rational, stage.allow) };
    });
    found.push(own);
    held.push({ goal: stage.minimize, most: own.most });
  }
  return found;
}

/** What a checked bound says of another placement. */
function verdictAt(
  { verdict }: PlacementOutcome,
  { program, pointOf }: WrittenBound["program"],
  placement: Placement,
  { request }: WrittenPlacementPlan,
): Verdict {
  return Verdict.ofChecked(program, verdict.checked, pointOf(placement), acceptedGap(request));
}

function checkBound(
  draft: VerificationDraft,
  { request, objective }: WrittenPlacementPlan,
  { program: built, written, what: name, unit = plainUnit(objective.unit) }: WrittenBound,
  placement: Placement | null,
): PlacementOutcome {
  const { program, pointOf } = built;
  const point = placement === null ? null : pointOf(placement);
  const words = { name, what: "plan", columns: program.columns.length, unit } as const;
  const checked = checkWritten(draft, { request, certificate: written.certificate }, program, point, words);
  return { ...checked, on: onAsWritten(built, written) };
}

interface WrittenBound {
  readonly program: PointedProgram;
  readonly written: WrittenProof;
  readonly what: string;
  /** Default: the plan's. */
  readonly unit?: ValueUnit;
}
