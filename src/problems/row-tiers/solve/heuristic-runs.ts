import type { RowClasses } from "../../../access/row-classes.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import { type RowTiersHeuristicName, rowTiersHeuristics } from "../methods/index.js";
import type { BaselineRuns, RowTiersAccess } from "../plan-file/baseline.js";

/** The published methods of row tiers, by name. */
export const ROW_TIERS_HEURISTICS = Object.keys(rowTiersHeuristics) as RowTiersHeuristicName[];

/** The runs that a published method chooses, or why it does not apply. */
export function heuristicRuns(
  method: RowTiersHeuristicName,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
): BaselineRuns {
  const result = rowTiersHeuristics[method](instance, access);
  return result.kind === "plan"
    ? { method, assignment: result.assignment, reason: null }
    : { method, assignment: null, reason: result.reason };
}

const BASELINES: readonly RowTiersHeuristicName[] = ["flexshard-2tier", "flexshard-3tier"];

/** Those that a plan is shown beside: FlexShard's, and with rows in host memory the one that knows of it as well. */
export function rowTiersBaselines({ tiers }: RowTiersInstance): readonly RowTiersHeuristicName[] {
  return tiers.includes("host") ? [...BASELINES, "recshard-like"] : BASELINES;
}

/** The published methods as a verifier runs them again. */
export function rowTiersReruns(extent: RerunExtent): MethodsOf<RowTiersAccess, BaselineRuns> {
  return {
    baselines: ({ instance }) => rowTiersBaselines(instance),
    run: (method, { instance, access }) =>
      rerun(extent, true, () => heuristicRuns(method as RowTiersHeuristicName, instance, access)),
  };
}
