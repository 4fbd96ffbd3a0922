import type { TowerProblem } from "../../../../models/tower-partition/problem.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import type { TowerHeuristicName } from "../methods/index.js";
import type { BaselineTowers } from "../plan-file/baseline.js";
import { isQuick, towerBaseline, towerBaselines } from "./heuristic-runs.js";

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
