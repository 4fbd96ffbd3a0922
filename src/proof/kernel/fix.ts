import { floorDivide, Rational } from "../../exact/rational.js";
import { type BoundResult, inRisingCost } from "./bound.js";
import type { Box, View } from "./view.js";

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
  record: (column: number, lower: Rational | null, upper: Rational | null) => void,
): void {
  if (result.bound === null) return;
  const room = cutoff.subtract(result.bound);
  if (room.sign() <= 0) return;
  const { scaledCosts, scale } = result;
  // An integer move of k units survives while k·cost/scale < room.
  const roomNumerator = room.numerator * scale;
  const unitsBelow = (cost: bigint): bigint => -floorDivide(-roomNumerator, room.denominator * cost) - 1n;

  for (const j of view.single) {
    const cost = scaledCosts[j] as bigint;
    if (cost === 0n) continue;
    const lower = box.lower[j] as Rational | null;
    const upper = box.upper[j] as Rational | null;
    const magnitude = cost > 0n ? cost : -cost;
    const reach = view.integer[j]
      ? Rational.of(unitsBelow(magnitude))
      : Rational.of(roomNumerator, room.denominator * magnitude);
    if (cost > 0n && lower !== null) {
      const limit = outward(lower.add(reach), 1);
      if (limit === null) continue;
      if (upper === null || limit.compare(upper) < 0) {
        record(j, lower, upper);
        box.upper[j] = limit;
      }
    } else if (cost < 0n && upper !== null) {
      const limit = outward(upper.subtract(reach), -1);
      if (limit === null) continue;
      if (lower === null || limit.compare(lower) > 0) {
        record(j, lower, upper);
        box.lower[j] = limit;
      }
    }
  }

  for (const { members, total } of view.groups) {
    if (members.length === 0) continue;
    const used = cheapestFilling(members, total, scaledCosts, box);
    let uppers = 0n;
    for (const j of members) {
      const lower = (box.lower[j] as Rational).numerator;
      const upper = (box.upper[j] as Rational).numerator;
      const limit = lower + affordable(scaledCosts[j] as bigint, j, used, roomNumerator, room.denominator);
      if (limit < upper) {
        record(j, box.lower[j] as Rational, box.upper[j] as Rational);
        box.upper[j] = Rational.of(limit);
      }
      uppers += (box.upper[j] as Rational).numerator;
    }
    // What the other members cannot take, a member must.
    for (const j of members) {
      const needed = total - (uppers - (box.upper[j] as Rational).numerator);
      if (needed > (box.lower[j] as Rational).numerator) {
        record(j, box.lower[j] as Rational, box.upper[j] as Rational);
        box.lower[j] = Rational.of(needed);
      }
    }
  }
}

/**
 * The next double on the outer side, integers as they are; `null` beyond all doubles. What follows from a bound of a continuous
 * column has to be computed with it from then on, and the exact bound has all digits of the multipliers. Of two bounds the
 * wider one stays the wider one.
 */
function outward(limit: Rational, side: 1 | -1): Rational | null {
  if (limit.isInteger()) return limit;
  const near = side === 1 ? limit.toNumberUp() : limit.toNumberDown();
  return Number.isFinite(near) ? Rational.fromNumber(near) : null;
}

/** Units above the lower bound that a group's cheapest filling gives a member. */
interface Used {
  readonly member: number;
  readonly units: bigint;
  readonly cost: bigint;
}

/** The group's cheapest filling, dearest member first; `null` when the bounds do not allow the total. */
function cheapestFilling(
  members: readonly number[],
  total: bigint,
  costs: readonly bigint[],
  box: Box,
): readonly Used[] {
  let left = total;
  for (const j of members) left -= (box.lower[j] as Rational).numerator;
  const used: Used[] = [];
  for (const member of inRisingCost(members, costs)) {
    if (left <= 0n) break;
    const room = (box.upper[member] as Rational).numerator - (box.lower[member] as Rational).numerator;
    const units = room < left ? room : left;
    if (units > 0n) used.unshift({ member, units, cost: costs[member] as bigint });
    left -= units;
  }
  return used;
}

/**
 * The most units above its lower bound that a member can be given while the group's cost rises by less than the room:
 * exactly, with the dearest units of the cheapest filling displaced first. The exact function makes the fixing monotone:
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
