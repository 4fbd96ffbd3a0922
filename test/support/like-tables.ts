import type { Placement, PlacementProblem, PlacementTable } from "../../models/table-placement/problem.js";
import type { Draw } from "../fuzz/oracle/draw.js";
import { choicesOf, tinyPlacement } from "./tiny-placement.js";

/** A random problem of three tables that are alike, or of five of two kinds, which may be on any device. */
export function likeTables(draw: Draw): PlacementProblem {
  const problem = tinyPlacement(draw);
  const kinds = problem.tables.slice(0, 2);
  const counts = kinds.length === 1 ? [3] : [3, 2];
  const tables = kinds.flatMap((table, k): PlacementTable[] =>
    Array.from({ length: counts[k] as number }, (_, copy) => ({
      ...table,
      name: `${table.name}_${copy}`,
      devices: null,
    })),
  );
  const hbmBytes = problem.hbmBytes.map(() => draw.int(8, 40));
  const isEven = draw.oneIn(2);
  return {
    ...problem,
    ...{ tables, together: [], apart: [] },
    hbmBytes: isEven ? hbmBytes.map(() => hbmBytes[0] as number) : hbmBytes,
  };
}

/** Random placements of a problem; none where a table has no place. */
export function likePlacements(problem: PlacementProblem, draw: Draw, count: number): Placement[] {
  const all = problem.tables.map((table, t) => choicesOf(problem, table, t));
  if (all.some(({ length }) => length === 0)) return [];
  return Array.from({ length: count }, () => ({ choices: all.map((own) => draw.of(own)) }));
}

/** How many placements there are. */
export function placementCount(problem: PlacementProblem): number {
  return problem.tables.reduce((product, table, t) => product * choicesOf(problem, table, t).length, 1);
}
