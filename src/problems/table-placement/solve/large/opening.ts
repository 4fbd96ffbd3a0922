import { aggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import { estimatedEntries } from "../../../../../models/table-placement/estimated-entries.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { PlacementState } from "../placement-state.js";
import { AggregatedSearch } from "./base-range.js";
import { rangedLimit, rangedProof } from "./range-bound.js";
import { searchPacking } from "./search-packing.js";

/** What the bound by ranges of the base may take, as a share of all work, and packing after it. */
const RANGES_SHARE = 0.05;
const PACKING_SHARE = 0.1;

/** Below this many entries the other bounds of a program are as good. */
const MIN_ENTRIES = 100_000;

/** The strategy within this one that can be left out. */
export const PACKING = "packing";

/** Whether a search may begin with the aggregated program, and that is worth it. */
export function hasRanges(problem: PlacementProblem, { options }: PlacementState): boolean {
  return options.takesAggregated === true && estimatedEntries(problem) >= MIN_ENTRIES;
}

/**
 * What a search over the direct program may begin with: a bound of the aggregated program over ranges of the base, and a placement
 * of options as it has them, packed. Of many devices both are near each other long before others are.
 */
export function openByRanges(problem: PlacementProblem, state: PlacementState): void {
  const aggregated = aggregatedProgram(problem);
  const search = new AggregatedSearch(problem, aggregated);
  const bound = rangedLimit(search, state.work.slice(RANGES_SHARE * state.all));
  state.addOther(rangedProof(problem, aggregated, bound), aggregated);
  if (!Number.isFinite(bound.limit) || state.options.without?.has(PACKING) === true) return;
  state.report("local search");
  const shouldStop = state.work.slice(PACKING_SHARE * state.all);
  const { seed } = state.options;
  const found = searchPacking(problem, search, bound, { seed, target: state.target, shouldStop });
  if (found !== null) state.offer(found.placement);
}
