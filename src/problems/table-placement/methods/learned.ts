import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import type { PlacementContext, PlacementHeuristic, PlacementHeuristicResult } from "./heuristic.js";
import type { WholeTable } from "./whole-tables.js";

/** A method for problems whose devices have a cost of sets; not applicable to others. */
export function underSetCost(
  method: (problem: PlacementProblem, setCost: SetCost, context: PlacementContext) => PlacementHeuristicResult,
): PlacementHeuristic {
  return (problem, context) => {
    if (problem.setCost !== undefined) return method(problem, problem.setCost, context);
    return { kind: "not-applicable", reason: "needs a learned cost (costModel: {neural: FILE})" };
  };
}

/** The part that a whole table is. */
export function partOfWhole(setCost: SetCost, { option }: WholeTable, table: number): number {
  return setCost.partOf(table, option, 0);
}
