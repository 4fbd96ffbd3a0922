import { estimatedEntries } from "../../../../../models/table-placement/estimated-entries.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { totals } from "../../plan-file/shortages.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { type LargeShares, solveLargePlacement } from "./solve-large.js";

/** What there is before a program is built, and what makes more of it where devices are many beside goals to come. */
const FIRST: LargeShares = { ranges: 0, packing: 0.02 };
const BY_RANGES: LargeShares = { ranges: 0.05, packing: 0.1 };

/** Below this many entries a program is built at once. */
const MIN_ENTRIES = 100_000;

/** Names by which what makes more of it is left out. */
export const RANGES = "ranges of the base";
export const PACKING = "packing";

/**
 * What a search over the direct program begins with where that takes long to be built: a bound of the aggregated program, and a
 * placement of options as it has them, packed. Of many devices both are near each other long before others are. `null` where the
 * direct program is there as soon.
 */
export function openingOf(problem: PlacementProblem, options: SolvePlacementOptions): PlacementSolution | null {
  // Of hosts that stand for devices a proof is about the direct program.
  if (options.isOfHosts === true) return null;
  // What does not fit by adding up is known without any program of devices.
  if (estimatedEntries(problem) < MIN_ENTRIES && totals(problem).length === 0) return null;
  const { takesAggregated = false, without } = options;
  const shares = takesAggregated && without?.has(RANGES) !== true ? BY_RANGES : FIRST;
  return solveLargePlacement(problem, options, without?.has(PACKING) === true ? { ...shares, packing: 0 } : shares);
}
