import { doubleBelow, floorDivide, Rational } from "../../exact/rational.js";
import { type BoundResult, cheapestFilling, type Used } from "./bound.js";
import { type Box, fillGroup, type View } from "./view.js";

/**
 * Reduced-cost fixing: tightens the box to what a point with an objective below `cutoff` can still use, given a bound
 * proved for the box by {@link lagrangianBound}. Moving a column k units away from where the inner minimum has it costs
 * at least k times its reduced cost (in a group: its cost over the dearest unit the minimum uses); as soon as that
 * reaches the cutoff, no better point lies there. `record` is told of every change.
 *
 * Changes nothing when the bound proves nothing, or already reaches the cutoff (then the node is closed anyway).
 */
export function fixByReducedCost(
  view: View,
  box: Box,
  result: BoundResult,
  cutoff: Rational,
  record: (column: number) => void = () => {},
): void {
  if (result.bound === null) return;
  const room = cutoff.subtract(result.bound);
  if (room.sign() <= 0) return;
  const { scaledCosts, scale } = result;
  // An integer move of k units survives while k·cost/scale < room.
  const roomNumerator = room.numerator * scale;
  const unitsBelow = (cost: bigint): bigint => -floorDivide(-roomNumerator, room.denominator * cost) - 1n;

  const most = certainRoom(roomNumerator, room.denominator);

  for (const j of view.single) {
    const cost = scaledCosts[j] as bigint;
    if (cost === 0n) continue;
    const lower = box.lower[j] as Rational | null;
    const upper = box.upper[j] as Rational | null;
    // What the room certainly allows is found in doubles, as most columns have less to lose than there is room for.
    if (lower !== null && upper !== null && Math.abs(Number(cost)) * rangeAtMost(lower, upper) < most) continue;
    // Columns rise from the bound `near` where they cost, and fall from it where they earn.
    const [sign, near, far, side] =
      cost > 0n ? ([1n, lower, upper, "upper"] as const) : ([-1n, upper, lower, "lower"] as const);
    if (near === null) continue;
    const limit =
      view.integer[j] === true
        ? near.add(Rational.of(sign * unitsBelow(sign * cost)))
        : beyond(near, sign * roomNumerator, sign * cost * room.denominator);
    if (limit === null || (far !== null && limit.compare(far) * Number(sign) >= 0)) continue;
    record(j);
    box[side][j] = limit;
  }

  for (const group of view.groups) {
    const used = (cheapestFilling(group, scaledCosts, box) ?? []).toReversed();
    for (const j of group.members) {
      const lower = (box.lower[j] as Rational).numerator;
      const upper = (box.upper[j] as Rational).numerator;
      const limit = lower + affordable(scaledCosts[j] as bigint, j, used, roomNumerator, room.denominator);
      if (limit < upper) {
        record(j);
        box.upper[j] = Rational.of(limit);
      }
    }
    fillGroup(group, box, record);
  }
}

/** A share of the room within which rounding in doubles, of a few parts in 10¹⁶, decides nothing. */
const CERTAIN = 1 - 1e-9;

/** A little less than a room; 0 where doubles do not reach. */
function certainRoom(numerator: bigint, denominator: bigint): number {
  const most = (CERTAIN * Number(numerator)) / Number(denominator);
  return most > 1e-200 && most < Number.POSITIVE_INFINITY ? most : 0;
}

/** The range between two bounds, or a little more than half an ulp above it. */
function rangeAtMost(lower: Rational, upper: Rational): number {
  const [low, high] = [lower.toNumber(), upper.toNumber()];
  return high - low + 1e-15 * (Math.abs(low) + Math.abs(high)) + 1e-300;
}

/**
 * Where a bound is after a move of numerator/divisor, in the next double on the outer side unless it is an integer; `null` beyond
 * all doubles. What follows from a bound of a continuous column has to be computed with it from then on, and the exact bound has
 * all digits of the multipliers: not even its fraction is reduced. Of two bounds the wider one stays the wider one.
 */
function beyond(bound: Rational, numerator: bigint, divisor: bigint): Rational | null {
  const denominator = bound.denominator * divisor;
  const limit = bound.numerator * divisor + numerator * bound.denominator;
  if (limit % denominator === 0n) return Rational.of(limit / denominator);
  const near = numerator > 0n ? -doubleBelow(-limit, denominator) : doubleBelow(limit, denominator);
  return Number.isFinite(near) ? Rational.fromNumber(near) : null;
}

/**
 * The most units above its lower bound that a member can be given while the group's cost rises by less than the room:
 * exactly, with the dearest units of the cheapest filling (`used`, dearest first) displaced first. The exact function makes the fixing monotone:
 * a smaller box or a lower cutoff never fixes less, so a checker whose cutoff is the final bound sees at least what the
 * search saw.
 */
function affordable(
  cost: bigint,
  member: number,
  used: readonly Used[],
  roomNumerator: bigint,
  roomDenominator: bigint,
): bigint {
  let units = used.find((part) => part.member === member)?.units ?? 0n;
  let room = roomNumerator;
  for (const part of used) {
    const extra = (cost - part.cost) * roomDenominator;
    // What is used at a higher or the same cost is the member itself or comes before it: free to give way.
    if (part.member === member) continue;
    if (extra <= 0n) {
      units += part.units;
      continue;
    }
    const most = -floorDivide(-room, extra) - 1n;
    if (most < part.units) return units + (most > 0n ? most : 0n);
    units += part.units;
    room -= extra * part.units;
  }
  return units;
}
