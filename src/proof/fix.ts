import { floorDivide, Rational } from "../exact/rational.js";
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
      const limit = lower.add(reach);
      if (upper === null || limit.compare(upper) < 0) {
        record(j, lower, upper);
        box.upper[j] = limit;
      }
    } else if (cost < 0n && upper !== null) {
      const limit = upper.subtract(reach);
      if (lower === null || limit.compare(lower) > 0) {
        record(j, lower, upper);
        box.lower[j] = limit;
      }
    }
  }

  for (const { members, total } of view.groups) {
    if (members.length === 0) continue;
    const dearest = dearestUsed(members, total, scaledCosts, box);
    let uppers = 0n;
    for (const j of members) {
      const lower = (box.lower[j] as Rational).numerator;
      const upper = (box.upper[j] as Rational).numerator;
      const extra = (scaledCosts[j] as bigint) - dearest;
      if (extra > 0n) {
        const limit = lower + unitsBelow(extra);
        if (limit < upper) {
          record(j, box.lower[j] as Rational, box.upper[j] as Rational);
          box.upper[j] = Rational.of(limit);
        }
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

/** The highest reduced cost among members that the group's cheapest filling uses above their lower bounds. */
function dearestUsed(members: readonly number[], total: bigint, costs: readonly bigint[], box: Box): bigint {
  let left = total;
  for (const j of members) left -= (box.lower[j] as Rational).numerator;
  let dearest: bigint | null = null;
  for (const j of inRisingCost(members, costs)) {
    const room = (box.upper[j] as Rational).numerator - (box.lower[j] as Rational).numerator;
    // A member without room is as good as substituted: it must not make a walk that keeps it weaker than one that does not.
    if (room === 0n) continue;
    if (dearest === null || left > 0n) dearest = costs[j] as bigint;
    left -= room;
    if (left <= 0n) break;
  }
  return dearest ?? 0n;
}
