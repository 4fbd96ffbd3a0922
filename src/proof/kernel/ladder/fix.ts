import { floorDivide, type Rational } from "../../../exact/rational.js";
import type { Ladder, Rail } from "../../../program/ladder/ladder.js";
import type { Stretch } from "../../../program/ladder/stretch.js";
import type { LadderBound, Line } from "./bound.js";
import type { LadderNode } from "./node.js";

/**
 * Reduced-cost fixing on a ladder: the stretches on which a single unit in any tier but the cheapest would already lift
 * the proved bound to the cutoff, so that every better point has all their units in the cheapest tier. How much dearer a
 * tier is than another is affine in the heat, so each such stretch is an interval, found by bisection.
 *
 * `bound` must be what {@link import("./bound.js").ladderBound} proved for the node, and below the cutoff.
 */
export function decidedStretches(
  ladder: Ladder,
  node: LadderNode,
  { bound, lines, scale, cheapest }: LadderBound,
  cutoff: Rational,
): readonly Stretch[] {
  if (bound === null) return [];
  const room = cutoff.subtract(bound);
  if (room.sign() <= 0) return [];
  // A unit that costs (a − b) / scale more is out of reach from the least integer a − b ≥ room · scale on.
  const threshold = -floorDivide(-room.numerator * scale, room.denominator);
  return cheapest.flatMap((stretch) => {
    const { heats } = ladder.rails[stretch.rail] as Rail;
    const ofRail = lines[stretch.rail] as readonly Line[];
    const chosen = ofRail[stretch.tier] as Line;
    let { from, to } = stretch;
    for (const [tier, may] of (node.allowed[stretch.rail] as readonly boolean[]).entries()) {
      if (!may || tier === stretch.tier || from >= to) continue;
      const other = ofRail[tier] as Line;
      const fixed = other.fixed - chosen.fixed;
      const perHeat = other.perHeat - chosen.perHeat;
      const isOut = (rung: number): boolean => fixed + perHeat * (heats[rung] as bigint) >= threshold;
      [from, to] = trueInterval(from, to, isOut);
    }
    return from < to ? [{ ...stretch, from, to }] : [];
  });
}

/** Where a predicate that changes at most once between `from` and `to` holds; an empty interval where nowhere. */
function trueInterval(from: number, to: number, holds: (index: number) => boolean): [number, number] {
  const first = holds(from);
  const last = holds(to - 1);
  if (first === last) return first ? [from, to] : [from, from];
  let low = from;
  let high = to - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle) === first) low = middle;
    else high = middle;
  }
  return first ? [from, high] : [high, to];
}
