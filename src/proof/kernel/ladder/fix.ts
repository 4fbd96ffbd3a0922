import { firstFrom } from "../../../exact/first-from.js";
import { floorDivide, type Rational } from "../../../exact/rational.js";
import type { Interval } from "../../../program/ladder/interval.js";
import type { Chain, Ladder } from "../../../program/ladder/ladder.js";
import type { LadderBound, Line } from "./bound.js";
import type { LadderNode } from "./node.js";

/**
 * Reduced-cost fixing on a ladder: the intervals on which a single unit in any tier but the cheapest would already lift
 * the proved bound to the cutoff, so that every better point has all their units in the cheapest tier. How much dearer
 * a tier is than another is affine in the rate, so each such interval is an interval, found by bisection.
 *
 * `bound` must be what {@link import("./bound.js").ladderBound} proved for the node, and below the cutoff.
 */
export function decidedIntervals(
  ladder: Ladder,
  node: LadderNode,
  { bound, lines, scale, cheapest }: LadderBound,
  cutoff: Rational,
): readonly Interval[] {
  if (bound === null) return [];
  const room = cutoff.subtract(bound);
  if (room.sign() <= 0) return [];
  // A unit that costs (a − b) / scale more is out of reach from the least integer a − b ≥ room · scale on.
  const threshold = -floorDivide(-room.numerator * scale, room.denominator);
  return cheapest.flatMap((interval) => {
    const { rates } = ladder.chains[interval.chain] as Chain;
    const ofChain = lines[interval.chain] as readonly Line[];
    const chosen = ofChain[interval.tier] as Line;
    let { from, to } = interval;
    for (const [tier, may] of (node.allowed[interval.chain] as readonly boolean[]).entries()) {
      if (!may || tier === interval.tier || from >= to) continue;
      const other = ofChain[tier] as Line;
      const fixed = other.fixed - chosen.fixed;
      const perRate = other.perRate - chosen.perRate;
      const isOut = (unitClass: number): boolean => fixed + perRate * (rates[unitClass] as bigint) >= threshold;
      [from, to] = trueInterval(from, to, isOut);
    }
    return from < to ? [{ ...interval, from, to }] : [];
  });
}

/** Where a predicate that changes at most once between `from` and `to` holds; an empty interval where nowhere. */
function trueInterval(from: number, to: number, holds: (index: number) => boolean): [number, number] {
  const first = holds(from);
  const last = holds(to - 1);
  if (first === last) return first ? [from, to] : [from, from];
  const turn = from + firstFrom(to - from, (place) => holds(from + place) !== first);
  return first ? [from, turn] : [turn, to];
}
