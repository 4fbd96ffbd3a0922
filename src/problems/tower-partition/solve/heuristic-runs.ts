import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { STOPPED } from "../../../plan-file/stopped.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import type { TowerContext } from "../methods/heuristic.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../methods/index.js";
import type { BaselineTowers } from "../plan-file/baseline.js";

/** The published methods of tower partition, and ours, by name. */
export const TOWER_HEURISTIC_NAMES = Object.keys(TOWER_HEURISTICS) as TowerHeuristicName[];

/** Those that a plan is shown beside: the paper's own, and descents where these are quick. */
const BASELINES: readonly TowerHeuristicName[] = ["strided", "tp"];
const DESCENTS: readonly TowerHeuristicName[] = ["swap", "tp-swap"];

/** Features up to which descents are quick on any machine. */
const MAX_FOR_DESCENTS = 60;

/** Features up to which these are quick on any machine: then equal input gives an equal file. */
const MAX_FEATURES = 200;

/** What published methods make of a problem, each the best so far once its time is over. */
export function baselineTowers(
  methods: readonly TowerHeuristicName[],
  problem: TowerProblem,
  options: BaselineOptions,
): readonly BaselineTowers[] {
  return methods.flatMap((method) => towerBaseline(method, problem, options) ?? []);
}

export interface BaselineOptions {
  readonly seed: number;
  readonly shouldStop: NonNullable<TowerContext["shouldStop"]>;
}

/** What a method makes of a problem, and whether it was stopped before its end; `null` where it does not apply. */
export function towerBaseline(
  method: TowerHeuristicName,
  problem: TowerProblem,
  { seed, shouldStop }: BaselineOptions,
): BaselineTowers | null {
  const watched = new WatchedStop(shouldStop);
  const result = TOWER_HEURISTICS[method](problem, { seed, shouldStop: watched.ask });
  if (result.kind === "not-applicable") return null;
  const stopped = watched.wasStopped ? STOPPED : null;
  return result.kind === "plan"
    ? { method, numbering: result.labels, reason: stopped }
    : { method, numbering: null, reason: stopped ?? result.reason };
}

/** Those that a plan is shown beside, first those that the exact search starts from. `compare` has them all. */
export function towerBaselines({ features }: TowerProblem): readonly TowerHeuristicName[] {
  if (features.length > MAX_FEATURES) return [];
  return features.length > MAX_FOR_DESCENTS ? BASELINES : [...BASELINES, ...DESCENTS];
}

/** Whether a method ends soon on any machine, by the size of the problem. */
function isQuick(method: TowerHeuristicName, { features }: TowerProblem): boolean {
  return features.length <= (DESCENTS.includes(method) ? MAX_FOR_DESCENTS : MAX_FEATURES);
}

/** Whether the exact search starts from what a method finds: the paper's own. */
export function isStart(method: TowerHeuristicName): boolean {
  return BASELINES.includes(method);
}

/** The published methods as a verifier runs them again. */
export function towerReruns(extent: RerunExtent): MethodsOf<TowerProblem, BaselineTowers> {
  return {
    baselines: towerBaselines,
    run: (method, problem, seed) =>
      rerun(extent, isQuick(method as TowerHeuristicName, problem), (shouldStop) =>
        towerBaseline(method as TowerHeuristicName, problem, { seed, shouldStop }),
      ),
  };
}
