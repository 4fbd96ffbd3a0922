import type { PlacementModel } from "../../models/table-placement/from-instance.js";
import type { TowerProblem } from "../../models/tower-partition/problem.js";
import type { RowClasses } from "../access/row-classes.js";
import type { RowTiersHeuristicName } from "../heuristics/row-tiers/index.js";
import type { TowerHeuristicName } from "../heuristics/tower-partitioner/index.js";
import type { RowTiersInstance } from "../instance/instance.js";
import type { BaselineRuns } from "../plan/row-tiers/baseline.js";
import type { BaselinePlacement } from "../plan/table-placement/baseline.js";
import type { BaselineTowers } from "../plan/tower-partition/baseline.js";
import { heuristicRuns, rowTiersBaselines } from "./row-tiers/heuristic-runs.js";
import {
  type HeuristicName,
  isQuick,
  placementBaseline,
  placementBaselines,
} from "./table-placement/heuristic-runs.js";
import { isQuick as isQuickForTowers, towerBaseline, towerBaselines } from "./tower-partition/heuristic-runs.js";
import { WatchedStop } from "./watched-stop.js";

/** `quick`: those that end soon by their size, and within a minute. `all`: all, for as long as they take. */
export type RerunExtent = "quick" | "all";

/** What a method may take in the extent `quick`, where its size was judged wrong. */
const MOST_SECONDS = 60;

type Outcome<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "not-applicable" }
  | { readonly kind: "left-out"; readonly reason: string };

const SLOW = { kind: "left-out", reason: "it takes long here; --baselines runs it" } as const;

/**
 * The published methods as a verifier runs them again: deterministic given the plan's seed, and each to its own end, so that the
 * clock has no say in the result.
 */
export function publishedMethods(extent: RerunExtent) {
  const within = <Result>(isQuick: boolean, work: (stop: () => boolean) => Result | null): Outcome<Result> => {
    if (extent === "quick" && !isQuick) return SLOW;
    const watched = WatchedStop.after(extent === "quick" ? MOST_SECONDS : Number.POSITIVE_INFINITY);
    const result = work(watched.ask);
    if (watched.wasStopped) return SLOW;
    return result === null ? { kind: "not-applicable" } : { kind: "result", result };
  };
  return {
    rowTiers: {
      baselines: ({ instance }: RowTiersInput): readonly string[] => rowTiersBaselines(instance),
      run: (method: string, { instance, access }: RowTiersInput): Outcome<BaselineRuns> =>
        within(true, () => heuristicRuns(method as RowTiersHeuristicName, instance, access)),
    },
    placement: {
      baselines: ({ problem }: PlacementModel): readonly string[] => placementBaselines(problem),
      run: (method: string, model: PlacementModel, seed: number): Outcome<BaselinePlacement> =>
        within(isQuick(method as HeuristicName, model.problem), (shouldStop) =>
          placementBaseline(method as HeuristicName, model, { seed, shouldStop }),
        ),
    },
    towers: {
      baselines: (problem: TowerProblem): readonly string[] => towerBaselines(problem),
      run: (method: string, problem: TowerProblem, seed: number): Outcome<BaselineTowers> =>
        within(isQuickForTowers(method as TowerHeuristicName, problem), (shouldStop) =>
          towerBaseline(method as TowerHeuristicName, problem, { seed, shouldStop }),
        ),
    },
  };
}

interface RowTiersInput {
  readonly instance: RowTiersInstance;
  readonly access: readonly RowClasses[];
}
