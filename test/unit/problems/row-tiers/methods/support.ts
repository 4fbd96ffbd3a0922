import { expect } from "vitest";
import type {
  HeuristicPlan,
  RowTiersHeuristicResult,
} from "../../../../../src/problems/row-tiers/methods/heuristic.js";

/** A table with hot, warm, cool and cold rows, for `tinyInstance`. */
export const oneTable = [
  {
    dim: 4,
    histogram: [
      [3, 2.5],
      [6, 0.9],
      [12, 0.4],
      [20, 0.01],
    ],
  },
] as const;

/** The plan of a result; fails the test where there is none. */
export function planOf(result: RowTiersHeuristicResult): HeuristicPlan {
  expect(result.kind).toBe("plan");
  return result as HeuristicPlan;
}

/** Runs as `data_parallel 3, row_wise 5`, one entry per table. */
export function runsOf(result: RowTiersHeuristicResult): string[] {
  return planOf(result).assignment.map((runs) => runs.map(({ tier, rows }) => `${tier} ${rows}`).join(", "));
}
