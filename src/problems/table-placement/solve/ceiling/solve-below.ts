import { canHaveCeiling } from "../../../../../models/table-placement/below-ceiling.js";
import { isRich } from "../../../../../models/table-placement/hot-rows.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { CeilingSearch } from "./ceiling-search.js";

/** Of fewer options the whole program is as good. */
const MIN_OPTIONS = 1000;

/** Of all work, what a search of hosts may take. */
const HOSTS_SHARE = 0.8;

/** Of so few hosts each has half of the tables: bounds of hosts come to little. */
const FEW_HOSTS = 2;

/** Whether a search is to begin below a ceiling: hot rows and sizes of caches make many options, most of them far too dear. */
export function isBelowCeiling(problem: PlacementProblem, { takesCeiling }: SolvePlacementOptions): boolean {
  if (takesCeiling !== true || !canHaveCeiling(problem) || !isRich(problem)) return false;
  return problem.tables.reduce((sum, { options }) => sum + options.length, 0) >= MIN_OPTIONS;
}

/**
 * Places tables and proves how good that is among the options that placements no dearer than a known one may take. The bound is of all
 * placements: those left out cost more than the ceiling, which the one found keeps. No solution where no placement is known to begin
 * with, or nothing was proved; the placements known then, and the work that it took, are for whoever goes on.
 */
export async function solveBelowCeiling(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<{
  readonly solution: PlacementSolution | null;
  readonly placements: readonly Placement[];
  readonly units: number;
}> {
  const { search, units } = CeilingSearch.begun(problem, options);
  if (search === null) return { solution: null, placements: options.starts ?? [], units };
  if (!search.isCutShort && problem.nodes > FEW_HOSTS) await search.boundByHosts(HOSTS_SHARE);
  if (!search.isSettled) await search.solve();
  return { solution: search.concluded(), placements: [search.placement], units: search.units };
}
