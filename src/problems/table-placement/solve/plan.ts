import { directProgram, isDirect } from "../../../../models/table-placement/direct-program.js";
import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { type PlacementModel, placementModel } from "../../../../models/table-placement/from-instance.js";
import { loadWith } from "../../../instance/load.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { timingOf } from "../../../plan-file/timing.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { START_SHARE, TimeShares } from "../../../search/time/time-shares.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { inPieces, UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { openSolver } from "../../../solvers/solver.js";
import type { PlanOptions } from "../../plan-options.js";
import { NoPlanError, requirePlan } from "../../published-plan.js";
import { requireMethod } from "../../require-method.js";
import { requestOf, type Searched, workOf } from "../../searched.js";
import { tablePlacementReader } from "../instance/reader.js";
import { assemblePlacementPlan } from "../plan-file/assemble.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { requireDirectProgram } from "../plan-file/require-direct-program.js";
import type { SecondOutcome } from "../plan-file/second.js";
import { totals } from "../plan-file/shortages.js";
import { type GoalsSolution, placeByGoals } from "./goals/place-by-goals.js";
import { whatIfPrices } from "./goals/prices.js";
import { GOAL_STRATEGIES } from "./goals/solve-goal.js";
import {
  baselinePlacements,
  type HeuristicName,
  placementBaselines,
  placementStarts,
  runHeuristic,
  TABLE_PLACEMENT_HEURISTICS,
} from "./heuristic-runs.js";
import { boundUnits } from "./known-of.js";
import { claimOf, evaluationOf, outcomeOf, planNeuralPlacement } from "./learned/plan.js";
import type { PreparedPlacement } from "./prepared.js";
import { relaxedPlacement } from "./relaxed-placement.js";
import { PLACEMENT_STRATEGIES } from "./solve.js";

/** The methods of table placement: the exact one, and the published ones under their papers' names. */
export const TABLE_PLACEMENT_METHODS: readonly string[] = ["optimal", ...TABLE_PLACEMENT_HEURISTICS];

/** What the exact method can do without, by name. */
export const TABLE_PLACEMENT_STRATEGIES: readonly string[] = [
  ...new Set(["published starts", ...PLACEMENT_STRATEGIES, ...GOAL_STRATEGIES]),
];

/** Reads an instance (a path, or one that is read already) and builds its problem. Throws `InputError`. */
export async function preparePlacement(
  source: TablePlacementInstance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedPlacement> {
  const started = performance.now();
  const instance = await loadWith([tablePlacementReader], source, standardInput);
  const model = placementModel(instance);
  return { instance, model, readSeconds: (performance.now() - started) / 1000 };
}

/**
 * The main job for tables: reads an instance, places every table (or the shards of one of its options), proves the answer
 * and returns the plan file's contents. A plan whose status is `proved` was evaluated, and its bound derived, in exact
 * arithmetic by src/proof.
 *
 * ```ts
 * const plan = await planTablePlacement("instances/tiny/placement-given.yaml");
 * console.log(plan.status, plan.objective.value, plan.devices);
 * ```
 *
 * Throws `InputError` for a bad instance, an unknown method, or a published method that does not apply or finds no plan,
 * and `SolverError` when a solver is asked for that is not installed.
 */
export async function planTablePlacement(
  source: TablePlacementInstance | string,
  options: PlanOptions = {},
): Promise<TablePlacementPlan> {
  requireMethod(options.method ?? "optimal", TABLE_PLACEMENT_METHODS, "table-placement");
  return planPreparedPlacement(await preparePlacement(source, options.standardInput), options);
}

/** {@link planTablePlacement} for an instance that is prepared already. */
export async function planPreparedPlacement(
  prepared: PreparedPlacement,
  options: PlanOptions = {},
): Promise<TablePlacementPlan> {
  const { method = "optimal" } = options;
  requireMethod(method, TABLE_PLACEMENT_METHODS, "table-placement");
  return method === "optimal"
    ? (await searchPlacement(prepared, options)).plan
    : planByHeuristic(prepared, requestOf(options), method as HeuristicName, options);
}

/** The exact method: its plan, and what was proved of it. */
export async function searchPlacement(
  prepared: PreparedPlacement,
  options: PlanOptions,
): Promise<Searched<TablePlacementPlan>> {
  const { instance, model, readSeconds } = prepared;
  const request = requestOf(options);
  const { solver, shouldStop, onProgress, without = new Set() } = options;
  if (model.problem.setCost !== undefined) return planNeuralPlacement(prepared, request, options);
  // Before the search, because one that is not installed is bad usage.
  const asked = solver === undefined ? null : await openSolver(solver);
  const started = performance.now();
  const left = secondsLeft(options, readSeconds);
  const { problem } = model;
  if (asked !== null) requireDirectProgram(problem, instance.file);
  const kept = (without.has("prices") ? 0 : priceSeconds(problem, left)) + writingSeconds(problem, left);
  const shares = TimeShares.ofSearch(left - kept, asked !== null);
  const { seed } = request;
  const asWork = workOf(request);
  const isOver = WatchedStop.after(left, shouldStop).ask;
  const starting = new Work(isOver, START_SHARE * asWork.workSeconds * UNITS_PER_SECOND);
  // What does not fit by adding up is not looked for.
  const isStarted = totals(problem).length === 0 && !without.has("baselines");
  const starts = baselinePlacements(isStarted ? placementStarts(problem) : [], model, {
    seed,
    shouldStop: inPieces(starting.ask, UNITS.packing),
  });
  const methods = new Set(placementBaselines(problem));
  const shown = starts.filter(({ method }) => methods.has(method as HeuristicName));
  const asking = {
    starts: without.has("published starts") ? [] : starts.flatMap(({ placement }) => placement ?? []),
    without,
    ...{ takesCeiling: true, takesCounted: true },
    gap: askedGap(request.gap),
    timeLimitSeconds: shares.next(),
    ...asWork,
    seed,
    ...(shouldStop === undefined ? {} : { shouldStop }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
  const solution = await placeByGoals(problem, asking);
  const isInfeasible = solution.verdict?.status === "infeasible";
  const { direct, ceiling } = solution;
  const programOf = () => (isDirect(direct) && ceiling === undefined ? direct : directProgram(problem)).program;
  const claim = asked && (await claimOf(asked, programOf(), { request, shares, shouldStop, solution }));
  const relaxed = isInfeasible ? relaxedPlacement(problem, request.seed, isOver) : null;
  const baselines = isInfeasible ? [] : shown;
  const spentSeconds = (performance.now() - started) / 1000;
  const pricing = { ...asking, timeLimitSeconds: left - spentSeconds };
  const prices =
    !without.has("prices") && problem.stages === undefined
      ? await whatIfPrices({ instance, model }, solution, pricing)
      : null;
  const plan = assemblePlacementPlan({
    instance,
    problem,
    method: "optimal",
    request,
    outcome: outcomeOf(solution),
    placement: solution.placement,
    second: secondOf(problem, solution),
    stages: solution.stages,
    prices,
    baselines,
    known: isInfeasible ? starts : starts.filter((start) => !shown.includes(start)),
    relaxed,
    claim,
    isStopped: shouldStop?.() === true,
    timing: timingOf({ readSeconds, solveSeconds: 0, proveSeconds: 0 }),
  });
  // Prices, what methods come to and the file itself take time too; a digest does not know of it.
  const timing = timingOf({
    readSeconds: readSeconds + (options.spentSeconds ?? 0),
    solveSeconds: (performance.now() - started) / 1000 - solution.proveSeconds,
    proveSeconds: solution.proveSeconds,
  });
  return { plan: { ...plan, timing }, verdict: solution.verdict };
}

/** What is kept of the time for bounds of changed clusters, where the search does not end before its limit: a share at most. */
function priceSeconds(problem: PlacementModel["problem"], seconds: number): number {
  const needed = (2 * boundUnits(problem, estimatedEntries(problem))) / UNITS_PER_SECOND;
  return Math.min(PRICE_SHARE * seconds, needed + LATE_CHECK_SHARE * seconds);
}

const PRICE_SHARE = 0.08;
/** What the search's last check may take beyond its time. */
const LATE_CHECK_SHARE = 0.04;

/** What is kept of it to evaluate a placement in exact arithmetic and write it: of many devices that takes seconds. */
function writingSeconds({ tables }: PlacementModel["problem"], seconds: number): number {
  const shards = tables.reduce(
    (sum, { options }) => sum + Math.max(0, ...options.map(({ shards: own }) => own.length)),
    0,
  );
  return Math.min(WRITING_SHARE * seconds, (shards * UNITS.writing) / UNITS_PER_SECOND);
}

const WRITING_SHARE = 0.6;

/** What was proved of a goal to minimise then. */
function secondOf({ stages }: PlacementModel["problem"], solution: GoalsSolution): SecondOutcome | null {
  const [first, second] = solution.stages;
  return stages === undefined && first !== undefined && second !== undefined ? { ...second, cap: first.most } : null;
}

function planByHeuristic(
  prepared: PreparedPlacement,
  request: PlanRequest,
  method: HeuristicName,
  options: PlanOptions,
): TablePlacementPlan {
  const { shouldStop } = options;
  const { instance, model, readSeconds } = prepared;
  const evaluate = evaluationOf(prepared);
  const started = performance.now();
  const watched = WatchedStop.after(secondsLeft(options, readSeconds), shouldStop);
  const ran = runHeuristic(method, model, { seed: request.seed, shouldStop: watched.ask });
  const solveSeconds = (performance.now() - started) / 1000;
  const result = requirePlan(method, ran, watched.wasStopped, instance.file);
  const [violation] = evaluatePlacement(model.problem, result.placement).violations;
  if (violation !== undefined) {
    const advice = "choose another method (--method optimal, the exact one, keeps to all limits)";
    const message = `the plan of the method ${method} breaks a limit: ${violation}; ${advice}`;
    throw new NoPlanError("breaks-limits", violation, message, instance.file);
  }
  const proveSeconds = (performance.now() - started) / 1000 - solveSeconds;
  return assemblePlacementPlan({
    instance,
    problem: model.problem,
    method,
    request,
    outcome: null,
    placement: result.placement,
    baselines: [],
    relaxed: null,
    ...(evaluate === null ? {} : { evaluate }),
    claim: null,
    isStopped: watched.wasStopped,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds }),
  });
}
