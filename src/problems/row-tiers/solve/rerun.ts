import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import type { RowTiersHeuristicName } from "../methods/index.js";
import type { BaselineRuns, RowTiersAccess } from "../plan-file/baseline.js";
import { heuristicRuns, rowTiersBaselines } from "./heuristic-runs.js";

/** The published methods as a verifier runs them again. */
export function rowTiersReruns(extent: RerunExtent): MethodsOf<RowTiersAccess, BaselineRuns> {
  return {
    baselines: ({ instance }) => rowTiersBaselines(instance),
    run: (method, { instance, access }) =>
      rerun(extent, true, () => heuristicRuns(method as RowTiersHeuristicName, instance, access)),
  };
}
