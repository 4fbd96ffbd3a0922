import { Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";
import { lagrangianBound, type Multipliers } from "./bound.js";
import type { Box, View } from "./view.js";

/** Entries of the dynamic program's tables at most. */
const MAX_ENTRIES = 4_000_000n;

/** Up to `units` pieces, each of a size and worth a gain, neither of them negative. */
interface Item {
  readonly size: bigint;
  readonly gain: bigint;
  readonly units: bigint;
}

/**
 * The greatest Σ y·(row − its side) of points of the box that break form ≥ least: a knapsack over the form's columns, which
 * must be integers between bounds; each other column is where it is best for the sum. Where that is below zero, no point that
 * keeps the rows breaks the form. `"empty"`: no point of the box breaks it; `null`: nothing limits the sum.
 *
 * Throws `RangeError` where a multiplier prices a side that the row does not have, a column of the form is no bounded
 * integer, or the tables would be too long.
 */
export function greatestBeyond(
  view: View,
  box: Box,
  form: LinearForm,
  least: Rational,
  multipliers: Multipliers,
): Rational | "empty" | null {
  const own = new Set(form.columns);
  const outside = { ...view, single: view.columns.flatMap((_, j) => (own.has(j) ? [] : [j])), groups: [] };
  // Of the columns outside the form: the greatest sum is the least of its negative.
  const { bound, infeasible, scaledCosts, scale } = lagrangianBound(outside, box, multipliers, "infeasibility");
  if (infeasible) return "empty";
  let greatest = 0n;
  // The form is broken where Σ size·x ≤ room: columns are counted from the bound that leaves most of it.
  let room = least.multiply(Rational.of(form.denominator)).ceil() - 1n;
  const items = form.columns.map((j, k): Item => {
    const size = form.coefficients[k] as bigint;
    const [lower, upper] = [box.lower[j] ?? null, box.upper[j] ?? null];
    if (view.integer[j] !== true || lower === null || upper === null) {
      throw new RangeError("a knapsack's columns are integers between bounds");
    }
    const gain = -(scaledCosts[j] as bigint);
    const [start, sign] = size > 0n ? [lower.numerator, 1n] : [upper.numerator, -1n];
    room -= size * start;
    greatest += gain * start;
    return { size: sign * size, gain: sign * gain, units: upper.numerator - lower.numerator };
  });
  if (room < 0n || items.some(({ units }) => units < 0n)) return "empty";
  return bound === null ? null : Rational.of(greatest + fullest(items, room), scale).subtract(bound);
}

/** The greatest gain of pieces that fit into the room: the bounded knapsack by dynamic programming. */
function fullest(items: readonly Item[], room: bigint): bigint {
  const useful = items.filter(({ gain, units }) => gain > 0n && units > 0n);
  if (useful.length === 0) return 0n;
  const pieces = ({ size, units }: Item) => (room / size < units ? room / size : units);
  const entries = useful.reduce((sum, item) => sum + (room + 1n) * (1n + pieces(item)), 0n);
  if (entries > MAX_ENTRIES) throw new RangeError("a knapsack's tables are too long");
  const best: bigint[] = new Array(Number(room) + 1).fill(0n);
  for (const item of useful) {
    const [size, most] = [Number(item.size), Number(pieces(item))];
    for (let used = best.length - 1; used >= size; used--) {
      let greatest = best[used] as bigint;
      for (let count = 1; count <= most && count * size <= used; count++) {
        const gain = (best[used - count * size] as bigint) + BigInt(count) * item.gain;
        if (gain > greatest) greatest = gain;
      }
      best[used] = greatest;
    }
  }
  return best[best.length - 1] as bigint;
}
