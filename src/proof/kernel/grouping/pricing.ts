import type { PricedUnits, VisitGroup, WalkLimits } from "./priced-units.js";
import { SinglesWalk } from "./pricing-of-items.js";
import { UnitsWalk } from "./pricing-of-units.js";

/**
 * Visits every group whose sum own + between + triples is below the cutoff. `true` when all were visited, `false` when a limit
 * ended the walk. Where every unit is one item a stronger bound is at hand, see {@link SinglesWalk} and {@link UnitsWalk}.
 */
export function groupsBelow(units: PricedUnits, cutoff: number, visit: VisitGroup, limits: WalkLimits = {}): boolean {
  const isSingle = units.sizes.every((size) => size === 1);
  return new (isSingle ? SinglesWalk : UnitsWalk)(units, visit, limits).run(cutoff);
}
