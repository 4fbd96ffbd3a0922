import type { TowerProblem } from "../../../models/tower-partition/problem.js";
import type { EmbeddingMethod } from "../../heuristics/tower-partitioner/embedding/embed.js";
import type { TowerHeuristicResult } from "../../heuristics/tower-partitioner/heuristic.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../../heuristics/tower-partitioner/index.js";
import { type BaselineTowers, STOPPED } from "../../plan/tower-partition/baseline.js";
import { WatchedStop } from "../watched-stop.js";

/** The published methods of tower partition, and ours, by name. */
export const TOWER_HEURISTIC_NAMES = Object.keys(TOWER_HEURISTICS) as TowerHeuristicName[];

/** Those that a plan is shown beside: the paper's own, and descents where these are quick. */
const BASELINES: readonly TowerHeuristicName[] = ["strided", "tp"];
const DESCENTS: readonly TowerHeuristicName[] = ["swap", "tp-swap"];

/** Features up to which descents are quick on any machine. */
const MOST_FOR_DESCENTS = 60;

/** Features up to which these are quick on any machine: then equal input gives an equal file. */
const MOST_FEATURES = 200;

export interface TowerHeuristicOptions {
  readonly seed?: number;
  readonly timeLimitSeconds?: number;
  readonly shouldStop?: () => boolean;
  /** How `tp` and what begins with it find coordinates; default as published. */
  readonly embedding?: EmbeddingMethod;
}

/** What a heuristic makes of a problem; within the time limit (default 60 seconds), the best so far at its end. */
export function runTowerHeuristic(
  method: TowerHeuristicName,
  problem: TowerProblem,
  { seed = 0, timeLimitSeconds = 60, shouldStop, embedding }: TowerHeuristicOptions,
): TowerHeuristicResult {
  const deadline = performance.now() + timeLimitSeconds * 1000;
  return TOWER_HEURISTICS[method](problem, {
    seed,
    ...(embedding === undefined ? {} : { embedding }),
    shouldStop: () => performance.now() > deadline || shouldStop?.() === true,
  });
}

/** Of the seconds that an answer may take, those that the published methods beside it may: far more than they mostly need. */
const BASELINE_SHARE = 0.25;

/** When the published methods beside an answer stop. */
export interface BaselineLimits {
  /** That the whole answer may take, from now on. */
  readonly seconds: number;
  readonly shouldStop?: (() => boolean) | undefined;
}

/** The published methods beside a plan, each the best so far once its time is over. `compare` has them all. */
export function baselineTowers(
  problem: TowerProblem,
  seed: number,
  { seconds, shouldStop }: BaselineLimits,
): readonly BaselineTowers[] {
  const until = performance.now() + BASELINE_SHARE * seconds * 1000;
  const stop = () => performance.now() >= until || shouldStop?.() === true;
  return towerBaselines(problem).flatMap((method) => towerBaseline(method, problem, { seed, shouldStop: stop }) ?? []);
}

/** What a method makes of a problem, and whether it was stopped before its end; `null` where it does not apply. */
export function towerBaseline(
  method: TowerHeuristicName,
  problem: TowerProblem,
  { seed, shouldStop }: { readonly seed: number; readonly shouldStop: () => boolean },
): BaselineTowers | null {
  const watched = new WatchedStop(shouldStop);
  const result = TOWER_HEURISTICS[method](problem, { seed, shouldStop: watched.ask });
  if (result.kind === "not-applicable") return null;
  const stopped = watched.wasStopped ? STOPPED : null;
  return result.kind === "plan"
    ? { method, numbering: result.numbering, reason: stopped }
    : { method, numbering: null, reason: stopped ?? result.reason };
}

/** The names of those. */
export function towerBaselines({ features }: TowerProblem): readonly TowerHeuristicName[] {
  if (features.length > MOST_FEATURES) return [];
  return features.length > MOST_FOR_DESCENTS ? BASELINES : [...BASELINES, ...DESCENTS];
}

/** Whether a method ends soon on any machine, by the size of the problem. */
export function isQuick(method: TowerHeuristicName, { features }: TowerProblem): boolean {
  return features.length <= (DESCENTS.includes(method) ? MOST_FOR_DESCENTS : MOST_FEATURES);
}

/** Those that the exact search starts from: the paper's own. */
export function startsOf(baselines: readonly BaselineTowers[]): readonly (readonly number[])[] {
  return baselines.flatMap(({ method, numbering }) =>
    numbering !== null && BASELINES.some((name) => name === method) ? [numbering] : [],
  );
}
