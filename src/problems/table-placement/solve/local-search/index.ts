import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Without } from "../../../../search/strategies.js";
import type { ShouldStop } from "../../../../search/work.js";
import { placementOf, snapshotOf } from "./convert.js";
import { Best } from "./incumbent.js";
import { layoutOf } from "./layout.js";
import { unitsOf } from "./movable-shards.js";
import { search } from "./search.js";

export interface SearchOptions {
  readonly seed: number;
  /** Asked every thousand steps or so: `true` ends the search with the best so far. */
  readonly shouldStop?: ShouldStop;
  /** Plans to start from; ones that break a rule of the problem are passed over. */
  readonly starts?: readonly Placement[];
  /** Stop when the largest cost is at most this. */
  readonly target?: number;
  /** Rounds of annealing and descents at most; default: until it is to stop. */
  readonly maxRounds?: number;
  /** Moves and starts to do without, of `LOCAL_SEARCH_STRATEGIES`. */
  readonly without?: Without;
}

export interface FoundPlacement {
  /** `null` where none was found, which proves nothing. */
  readonly placement: Placement | null;
  /** Its largest device cost, the doubles added in the order of tables; infinite without a plan. */
  readonly largest: number;
}

/**
 * A good plan by local search: longest processing time first, simulated annealing of loads over a target and bytes over
 * capacity, and descents that exchange shards between the fullest device and the others. Memory and constraints are kept
 * exactly (bytes are integers); costs are added in floating point. The same seed gives the same plan where the search ends
 * by `target`, `maxRounds` or work.
 */
export function searchPlacement(problem: PlacementProblem, options: SearchOptions): FoundPlacement {
  const units = unitsOf(problem);
  if (units === null) return { placement: null, largest: Number.POSITIVE_INFINITY };
  const layout = layoutOf(problem, units);
  // Nothing is below the layout's bound; what is left above it would be rounding.
  const goal = Math.max(options.target ?? Number.NEGATIVE_INFINITY, layout.bound * (1 + 1e-13));
  const { shouldStop, starts = [], maxRounds = Number.POSITIVE_INFINITY } = options;
  const best = new Best((largest, units) => shouldStop?.(units) === true || largest <= goal);
  const snapshots = starts.flatMap((start) => snapshotOf(problem, layout, start) ?? []);
  search(layout, snapshots, { seed: options.seed, maxRounds, without: options.without ?? new Set() }, best);
  const placement = best.snapshot === null ? null : placementOf(problem, layout, best.snapshot);
  return { placement, largest: best.largest };
}
