import type { PlacementModel } from "../../../../models/table-placement/from-instance.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import type { BaselinePlacement } from "../plan-file/baseline.js";
import { type HeuristicName, isQuick, placementBaseline, placementBaselines } from "./heuristic-runs.js";

/** The published methods as a verifier runs them again. */
export function placementReruns(extent: RerunExtent): MethodsOf<PlacementModel, BaselinePlacement> {
  return {
    baselines: ({ problem }) => placementBaselines(problem),
    run: (method, model, seed) =>
      rerun(extent, isQuick(method as HeuristicName, model.problem), (shouldStop) =>
        placementBaseline(method as HeuristicName, model, { seed, shouldStop }),
      ),
  };
}
