import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { aggregatedBound } from "../../../../../../src/problems/table-placement/solve/bounds/aggregated-bound.js";
import { judgeOf } from "../../../../../../src/problems/table-placement/solve/known-plans.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { OptionDiveTurns } from "../../../../../../src/problems/table-placement/solve/option-dive/option-dive-turns.js";
import { PlacementState } from "../../../../../../src/problems/table-placement/solve/placement-state.js";
import type { ShouldStop } from "../../../../../../src/search/work.js";

/** Units of a turn. */
export const UNITS = 10_000;

/** What local search finds, once for each problem. */
const found = new WeakMap<PlacementProblem, Placement>();

function placementOf(own: PlacementProblem, shouldStop: ShouldStop): Placement {
  const known = found.get(own) ?? (searchPlacement(own, { seed: 0, shouldStop }).placement as Placement);
  found.set(own, known);
  return known;
}

/** A search with a bound and a placement of local search, and the turns of dives in it. */
export function begunTurns(own: PlacementProblem) {
  const direct = directProgram(own);
  const search = new PlacementState(direct, { gap: Rational.zero, seed: 0, timeLimitSeconds: 50 }, judgeOf(own));
  search.add(aggregatedBound(own, direct));
  search.incumbent.offer(direct.pointOf(placementOf(own, search.work.slice(2000))));
  return { direct, search, turns: new OptionDiveTurns(own, direct, 0) };
}
