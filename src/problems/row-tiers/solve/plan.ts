import { buildRowTiers, type RowTiersModel } from "../../../../models/row-tiers/build.js";
import type { RowClasses } from "../../../access/row-classes.js";
import { rowsBefore } from "../../../access/rows-before.js";
import { tableClasses } from "../../../access/table-classes.js";
import { loadWith } from "../../../instance/load.js";
import type { RowsBefore, RowTiersGoal, RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { timingOf } from "../../../plan-file/timing.js";
import { evaluateLadder } from "../../../program/ladder/evaluate.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { TimeShares } from "../../../search/time/time-shares.js";
import { openSolver } from "../../../solvers/solver.js";
import type { PlanOptions } from "../../plan-options.js";
import { doesNotApply, NoPlanError } from "../../published-plan.js";
import { requireMethod } from "../../require-method.js";
import { requestOf, type Searched, workOf } from "../../searched.js";
import { askSolver } from "../../solver-claim.js";
import { rowTiersReader } from "../instance/reader.js";
import type { RowTiersHeuristicName } from "../methods/index.js";
import { assemblePlan } from "../plan-file/assemble.js";
import type { PlanOutcome } from "../plan-file/parts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import { NODE_STRATEGIES } from "./close-node.js";
import { heuristicRuns, ROW_TIERS_HEURISTICS, rowTiersBaselines } from "./heuristic-runs.js";
import { solveStages } from "./stages.js";

/** The methods of row tiers: the exact one, and the published ones under their papers' names. */
export const ROW_TIERS_METHODS: readonly string[] = ["optimal", ...ROW_TIERS_HEURISTICS];

/** What the exact method can do without, by name. */
export const ROW_TIERS_STRATEGIES: readonly string[] = ["published starts", ...NODE_STRATEGIES];

/** What is minimised where the instance has no goals in order. */
const ONLY_GOAL: RowTiersGoal = { minimize: "time", allow: { amount: 0 } };

/** An instance with its row classes and its program. */
export interface PreparedRowTiers {
  readonly instance: RowTiersInstance;
  readonly access: readonly RowClasses[];
  /** Where rows were; `null` where the instance has no plan to move from. */
  readonly before: readonly RowsBefore[] | null;
  readonly model: RowTiersModel;
  readonly readSeconds: number;
}

/** Reads an instance (a path, or one that is read already) and builds its program. Throws `InputError`. */
export async function prepareRowTiers(
  source: RowTiersInstance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedRowTiers> {
  const started = performance.now();
  const instance = await loadWith([rowTiersReader], source, standardInput);
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  const before = await rowsBefore(instance);
  const model = buildRowTiers(instance, access, before);
  return { instance, access, before, model, readSeconds: (performance.now() - started) / 1000 };
}

/**
 * The main job: solves an instance, proves the answer and returns the plan file's contents. A plan whose status is `proved`
 * was evaluated, and its bound derived, in exact arithmetic by src/proof.
 *
 * Throws `InputError` when the method is not known, does not apply to the instance or needs more memory than the budget;
 * `SolverError` when a solver was asked for that is not there.
 */
export async function planPrepared(prepared: PreparedRowTiers, options: PlanOptions = {}): Promise<RowTiersPlan> {
  const { method = "optimal" } = options;
  requireMethod(method, ROW_TIERS_METHODS, "row-tiers");
  return method === "optimal"
    ? (await searchRowTiers(prepared, options)).plan
    : planByHeuristic(prepared, requestOf(options), method);
}

/** The exact method: its plan, and what was proved of it. */
export async function searchRowTiers(
  { instance, access, before, model, readSeconds }: PreparedRowTiers,
  options: PlanOptions,
): Promise<Searched<RowTiersPlan>> {
  const request = requestOf(options);
  const { solver, shouldStop, onProgress, without = new Set() } = options;
  // Before the search, because one that is not installed is bad usage.
  const asked = solver === undefined ? null : await openSolver(solver);
  const started = performance.now();
  const goals: readonly RowTiersGoal[] = instance.goals ?? [ONLY_GOAL];
  const shares = new TimeShares(secondsLeft(options, readSeconds), [
    ...goals.map(() => (asked === null ? 1 : 2 / goals.length)),
    ...(asked === null ? [] : [1]),
  ]);
  const methods = without.has("baselines") ? [] : rowTiersBaselines(instance);
  const baselines = methods.map((name) => heuristicRuns(name, instance, access));
  const search = {
    gap: askedGap(request.gap),
    starts: without.has("published starts")
      ? []
      : baselines.flatMap(({ assignment }) => (assignment ? [assignment] : [])),
    without,
    ...workOf(request),
    ...(shouldStop === undefined ? {} : { shouldStop }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  const { first, model: stage, stages, assignment, proveSeconds } = await solveStages(model, goals, search, shares);
  const { verdict, certificate, point } = first;
  const { ladder } = stage;
  const limits = () => ({ ...request, timeLimitSeconds: shares.next() });
  const claim =
    asked === null
      ? null
      : await askSolver(asked, stage.program, limits(), shouldStop ?? (() => false), verdict.checked);
  const outcome: PlanOutcome = { verdict, certificate, ladder, point };
  const solveSeconds = (performance.now() - started) / 1000 - proveSeconds;
  const plan = assemblePlan({
    instance,
    access,
    before,
    budgetBytes: model.budgetBytes,
    method: "optimal",
    request,
    outcome,
    ...(instance.goals === undefined ? {} : { stages }),
    assignment,
    baselines: verdict.status === "infeasible" ? [] : baselines,
    known: verdict.status === "infeasible" ? baselines : [],
    claim,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds }),
  });
  return { plan, verdict };
}

function planByHeuristic(
  { instance, access, before, model, readSeconds }: PreparedRowTiers,
  request: PlanRequest,
  method: string,
): RowTiersPlan {
  const started = performance.now();
  const { assignment, reason } = heuristicRuns(method as RowTiersHeuristicName, instance, access);
  if (assignment === null) {
    throw doesNotApply(method, reason ?? "", instance.file);
  }
  const solveSeconds = (performance.now() - started) / 1000;
  const { rowActivities, violations } = evaluateLadder(model.ladder, model.pointOf(assignment));
  if (violations.length > 0) {
    const needed = rowActivities[model.structure.memoryRow]?.toNumber() ?? Number.NaN;
    if (violations.some(({ name }) => name.startsWith("moved-"))) {
      const message = `the method ${method} moves more rows than the instance allows; raise from.mostMovedRows and from.mostMovedBytes or choose another method (--method optimal, the exact one, keeps to them)`;
      throw new NoPlanError("breaks-limits", "over the limit of rows that move", message, instance.file);
    }
    if (violations.every(({ name }) => name !== "memory")) {
      const message = `the method ${method} puts more into host memory than the instance's hostBytesPerNode allows; raise it or choose another method (--method optimal, the exact one, keeps to it)`;
      throw new NoPlanError("breaks-limits", "over the host memory of a node", message, instance.file);
    }
    const over = `${readable(needed)} per GPU, over the budget of ${readable(model.budgetBytes.toNumber())}`;
    const advice = "raise the budget or choose another method (--method optimal, the exact one, keeps to it)";
    const message = `the method ${method} needs ${over.replace("per GPU,", "per GPU here,")}; ${advice}`;
    throw new NoPlanError("breaks-limits", `needs ${over}`, message, instance.file);
  }
  const proveSeconds = (performance.now() - started) / 1000 - solveSeconds;
  return assemblePlan({
    instance,
    access,
    before,
    budgetBytes: model.budgetBytes,
    method,
    request,
    outcome: null,
    assignment,
    baselines: [],
    claim: null,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds }),
  });
}

/** Bytes as people read them, in the message above: small instances in bytes. */
function readable(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes.toFixed(1)} bytes` : `${(bytes / 2 ** 30).toPrecision(4)} GiB`;
}
