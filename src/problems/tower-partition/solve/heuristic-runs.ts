import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { seededRandom } from "../../../exact/random.js";
import { STOPPED } from "../../../plan-file/stopped.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import { descentProblem, inOrderOfFirst } from "../methods/descent/limits.js";
import { randomStart } from "../methods/descent/random-start.js";
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

/**
 * What published methods make of a problem, those that apply: each the best so far once its time is over, which is then
 * told as the reason.
 */
export function baselineTowers(
  methods: readonly TowerHeuristicName[],
  problem: TowerProblem,
  { seed, shouldStop }: Required<Pick<TowerContext, "seed" | "shouldStop">>,
): readonly BaselineTowers[] {
  return methods.flatMap((method): readonly BaselineTowers[] => {
    const watched = new WatchedStop(shouldStop);
    const result = TOWER_HEURISTICS[method](problem, { seed, shouldStop: watched.ask });
    if (result.kind === "not-applicable") return [];
    const stopped = watched.wasStopped ? STOPPED : null;
    return result.kind === "plan"
      ? [{ method, numbering: result.labels, reason: stopped }]
      : [{ method, numbering: null, reason: stopped ?? result.reason }];
  });
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
    run: (name, problem, seed) => {
      const method = name as TowerHeuristicName;
      const run = (shouldStop: () => boolean) => baselineTowers([method], problem, { seed, shouldStop })[0] ?? null;
      return rerun(extent, isQuick(method, problem), run);
    },
  };
}

/** Halvings of the load that is tried, and starts for each: work that the clock has no part in. */
const HALVINGS = 12;
const STARTS = 4;

/**
 * A partition that breaks the loads by as little as a short search finds, and nothing else: it shows what loadRatio
 * would do where an instance is infeasible. `null` where loads limit nothing, or no sizes fit.
 */
export function relaxedTowers(problem: TowerProblem, seed: number): readonly number[] | null {
  const { load, windows } = problem;
  if (load === null || windows.length === 0) return null;
  const { elements, clusters } = descentProblem(problem);
  const random = seededRandom(seed);
  const within = (most: number): readonly number[] | null => {
    for (let start = 0; start < STARTS; start++) {
      for (const window of windows) {
        const found = randomStart({ elements, clusters, load: { weights: load.weights, most } }, window, random);
        if (found !== null) return inOrderOfFirst(found);
      }
    }
    return null;
  };
  let above = load.weights.reduce((sum, weight) => sum + weight, 0);
  let below = load.most;
  let best = within(above);
  for (let halving = 0; halving < HALVINGS && best !== null; halving++) {
    const middle = (above + below) / 2;
    const found = within(middle);
    if (found === null) below = middle;
    else [best, above] = [found, heaviest(load.weights, found)];
  }
  return best;
}

function heaviest(weights: readonly number[], labels: readonly number[]): number {
  const loads = new Map<number, number>();
  for (const [element, tower] of labels.entries()) {
    loads.set(tower, (loads.get(tower) ?? 0) + (weights[element] as number));
  }
  return Math.max(...loads.values());
}
