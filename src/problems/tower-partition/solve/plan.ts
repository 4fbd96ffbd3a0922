import { towerGrouping, towerProblem } from "../../../../models/tower-partition/build.js";
import { boundedCliqueProgram } from "../../../../models/tower-partition/clique-program.js";
import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { towerInteraction } from "../../../access/interaction/tower-interaction.js";
import { InputError } from "../../../errors/input-error.js";
import { Rational } from "../../../exact/rational.js";
import { loadWith } from "../../../instance/load.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { timingOf } from "../../../plan-file/timing.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { START_SHARE, TimeShares } from "../../../search/time/time-shares.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { inPieces, UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { openSolver } from "../../../solvers/solver.js";
import type { PlanOptions } from "../../plan-options.js";
import { requirePlan } from "../../published-plan.js";
import { requireMethod } from "../../require-method.js";
import { requestOf, type Searched, workOf } from "../../searched.js";
import { askSolver } from "../../solver-claim.js";
import { towerPartitionReader } from "../instance/reader.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../methods/index.js";
import { assembleTowerPlan, type TowerOutcome } from "../plan-file/assemble.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";
import { baselineTowers, isStart, relaxedTowers, TOWER_HEURISTIC_NAMES, towerBaselines } from "./heuristic-runs.js";
import { type GroupingProgress, type GroupingSolution, solveGrouping, TOWER_STRATEGIES } from "./solve.js";

/** The methods of tower partition: the exact one, and the heuristics. */
export const TOWER_PARTITION_METHODS: readonly string[] = ["optimal", ...TOWER_HEURISTIC_NAMES];

/** What the exact method can do without, by name. */
export const TOWER_PARTITION_STRATEGIES: readonly string[] = ["published starts", ...TOWER_STRATEGIES];

/** A tower instance with its matrix read: as an exact program, and in doubles for the heuristics. */
export interface PreparedTowers {
  readonly instance: TowerPartitionInstance;
  readonly grouping: Grouping;
  readonly problem: TowerProblem;
  /** I, F × F by rows. */
  readonly interaction: Float64Array;
  readonly readSeconds: number;
}

/** Reads an instance (a path, or one that is read already) and its matrix. Throws `InputError`. */
export async function prepareTowers(
  source: TowerPartitionInstance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedTowers> {
  const started = performance.now();
  const instance = await loadWith([towerPartitionReader], source, standardInput);
  const interaction = await towerInteraction(instance);
  const grouping = towerGrouping(instance, interaction);
  const problem = towerProblem(instance, interaction);
  return { instance, grouping, problem, interaction, readSeconds: (performance.now() - started) / 1000 };
}

/** Plans towers alone. Throws as `planTowerPartition` does. */
export async function planPreparedTowers(
  prepared: PreparedTowers,
  options: PlanOptions = {},
): Promise<TowerPartitionPlan> {
  const { method = "optimal" } = options;
  requireMethod(method, TOWER_PARTITION_METHODS, "tower-partition");
  const request = requestOf(options);
  const { instance } = prepared;
  requireTowerNumber(instance, `the method ${method}`);
  return method === "optimal"
    ? (await searchTowers(prepared, options)).plan
    : planByHeuristic(prepared, request, method as TowerHeuristicName, options);
}

/** A partition alone needs the number of towers. Throws `InputError` where the instance leaves it open. */
export function requireTowerNumber({ joint, file }: TowerPartitionInstance, what: string): void {
  if (joint === undefined || joint.towers !== null) return;
  throw new InputError(`expected a number of towers for ${what}, received any; write the number`, file);
}

/** The exact method for towers alone: its plan, and what was proved of it. */
export async function searchTowers(
  { instance, grouping, problem, readSeconds }: PreparedTowers,
  options: PlanOptions,
): Promise<Searched<TowerPartitionPlan> & Pick<GroupingSolution, "labels">> {
  const request = requestOf(options);
  const { solver, shouldStop, onProgress, without = new Set() } = options;
  const started = performance.now();
  // Before the search, because a program that is too large and a solver that is not installed are bad usage.
  const compact = solver === undefined ? null : boundedCliqueProgram(grouping, instance.file).program;
  const asked = solver === undefined ? null : await openSolver(solver);
  const left = secondsLeft(options, readSeconds + (performance.now() - started) / 1000);
  const methods = without.has("baselines") ? [] : towerBaselines(problem);
  const others = methods.filter((method) => !isStart(method));
  const shares = TimeShares.ofSearch(left, asked !== null, others.length > 0);
  const { seed } = request;
  const asWork = workOf(request);
  const isOver = (seconds: number) => WatchedStop.after(seconds, shouldStop).ask;
  const starting = new Work(isOver(left), START_SHARE * asWork.workSeconds * UNITS_PER_SECOND);
  const starts = baselineTowers(methods.filter(isStart), problem, {
    seed,
    shouldStop: inPieces(starting.ask, UNITS.pair),
  });
  const solution = await solveGrouping(grouping, {
    starts: without.has("published starts") ? [] : starts.flatMap(({ numbering: labels }) => (labels ? [labels] : [])),
    without,
    gap: askedGap(request.gap),
    timeLimitSeconds: shares.next(),
    ...asWork,
    seed,
    ...(shouldStop === undefined ? {} : { shouldStop }),
    ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress(asSearch(progress)) }),
  });
  const { labels, verdict, proveSeconds } = solution;
  const isInfeasible = verdict?.status === "infeasible";
  const limits = () => ({ ...request, timeLimitSeconds: shares.next() });
  const claim =
    asked === null || compact === null
      ? null
      : await askSolver(asked, compact, limits(), shouldStop ?? (() => false), verdict?.checked ?? null);
  const relaxed = isInfeasible ? relaxedTowers(problem, request.seed) : null;
  const isBeside = !isInfeasible && others.length > 0;
  const beside = isBeside ? baselineTowers(others, problem, { seed, shouldStop: isOver(shares.next()) }) : [];
  const baselines = isInfeasible ? [] : [...starts, ...beside];
  const solveSeconds = (performance.now() - started) / 1000 - proveSeconds;
  const plan = assembleTowerPlan({
    instance,
    grouping,
    method: "optimal",
    request,
    outcome: outcomeOf(solution),
    numbering: labels,
    baselines,
    known: isInfeasible ? starts : [],
    relaxed,
    claim,
    isStopped: shouldStop?.() === true,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds }),
  });
  return { plan, verdict, labels };
}

function outcomeOf({ verdict, certificate }: GroupingSolution): TowerOutcome | null {
  return verdict === null || certificate === null ? null : { verdict, certificate };
}

/** What the command line shows of a search. */
function asSearch({ incumbent, bound }: GroupingProgress): Parameters<NonNullable<PlanOptions["onProgress"]>>[0] {
  const exact = (value: number | null) => (value === null ? null : Rational.fromNumber(value));
  return { nodes: 0, openNodes: 0, incumbent: exact(incumbent), bound: exact(bound) };
}

function planByHeuristic(
  { instance, grouping, problem, readSeconds }: PreparedTowers,
  request: PlanRequest,
  method: TowerHeuristicName,
  options: PlanOptions,
): TowerPartitionPlan {
  const { shouldStop } = options;
  const started = performance.now();
  const watched = WatchedStop.after(secondsLeft(options, readSeconds), shouldStop);
  const ran = TOWER_HEURISTICS[method](problem, { seed: request.seed, shouldStop: watched.ask });
  const solveSeconds = (performance.now() - started) / 1000;
  const result = requirePlan(method, ran, watched.wasStopped, instance.file);
  return assembleTowerPlan({
    instance,
    grouping,
    method,
    request,
    outcome: null,
    numbering: result.labels,
    baselines: [],
    relaxed: null,
    claim: null,
    isStopped: watched.wasStopped,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds: 0 }),
  });
}
