import type { PlacementModel } from "../../models/table-placement/from-instance.js";
import type { TowerProblem } from "../../models/tower-partition/problem.js";
import type { RowClasses } from "../access/row-classes.js";
import type { RowTiersInstance } from "../instance/instance.js";
import { WatchedStop } from "../search/time/watched-stop.js";
import type { RowTiersHeuristicName } from "./row-tiers/methods/index.js";
import type { BaselineRuns } from "./row-tiers/plan-file/baseline.js";
import { heuristicRuns, rowTiersBaselines } from "./row-tiers/solve/heuristic-runs.js";
import type { BaselinePlacement } from "./table-placement/plan-file/baseline.js";
import {
  type HeuristicName,
  isQuick,
  placementBaseline,
  placementBaselines,
} from "./table-placement/solve/heuristic-runs.js";
import type { TowerHeuristicName } from "./tower-partition/methods/index.js";
import type { BaselineTowers } from "./tower-partition/plan-file/baseline.js";
import { isQuick as isQuickForTowers, towerBaseline, towerBaselines } from "./tower-partition/solve/heuristic-runs.js";

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
