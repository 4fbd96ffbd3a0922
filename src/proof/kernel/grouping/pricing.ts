import type { PricedUnits, VisitCluster, WalkLimits } from "./priced-units.js";
import { SinglesWalk } from "./pricing-of-elements.js";
import { UnitsWalk } from "./pricing-of-units.js";

/**
 * Visits every cluster whose sum own + between + what it pays for sets is below the cutoff. `true` when all were visited,
 * `false` when a limit ended the walk. Where every unit is one element a stronger bound is at hand, see {@link
 * SinglesWalk} and {@link UnitsWalk}.
 */
export function clustersBelow(
  units: PricedUnits,
  cutoff: number,
  visit: VisitCluster,
  limits: WalkLimits = {},
): boolean {
  const isSingle = units.sizes.every((size) => size === 1);
  return new (isSingle ? SinglesWalk : UnitsWalk)(units, visit, limits).run(cutoff);
}
