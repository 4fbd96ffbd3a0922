import { greatestCommonDivisor, Rational } from "../../../exact/rational.js";
import type { Chain, Ladder, LadderForm } from "../../../program/ladder/ladder.js";
import { type LadderBound, type Line, linesOf } from "../../../proof/kernel/ladder/bound.js";

/** What each tier of each chain adds to a form, as {@link Line} has it. */
export type IntegerForm = Pick<LadderBound, "lines" | "scale">;

/** A form's terms as integers over one denominator for all chains and tiers. */
export function integerForm(ladder: Ladder, form: LadderForm): IntegerForm {
  const { lines, scale } = linesOf(ladder, [{ form, factor: Rational.one }]);
  // Shorter integers are quicker; there are as many sums and products as classes of rows.
  let divisor = scale;
  for (const { fixed, perRate } of lines.flat()) {
    divisor = greatestCommonDivisor(greatestCommonDivisor(divisor, fixed), perRate);
  }
  return {
    lines: lines.map((ofChain) =>
      ofChain.map(({ fixed, perRate }) => ({ fixed: fixed / divisor, perRate: perRate / divisor })),
    ),
    scale: scale / divisor,
  };
}

/**
 * The edges of the lower left hulls of all classes. A unit in a tier is a point (bytes, seconds); what a unit can be
 * made to cost as more memory is allowed is the lower left hull of its tiers' points. Edge k stands for all units of a
 * class that go from one tier to the next one of the hull: `bytes[k]` more for `seconds[k]` less, both above zero.
 */
export interface UnitEdges {
  /** Of one unit, over the forms' denominators. */
  readonly bytes: bigint[];
  readonly seconds: bigint[];
  /** How many units. */
  readonly units: number[];
  /** Σ over all units of their tier of least memory; of those, of the one with fewest seconds. */
  readonly leastBytes: bigint;
  readonly leastSeconds: bigint;
}

export function unitEdges({ chains }: Ladder, memory: IntegerForm, cost: IntegerForm): UnitEdges {
  const bytes: bigint[] = [];
  const seconds: bigint[] = [];
  const counts: number[] = [];
  let leastBytes = 0n;
  let leastSeconds = 0n;
  chains.forEach(({ units, rates }: Chain, r) => {
    const memories = memory.lines[r] as readonly Line[];
    const costs = cost.lines[r] as readonly Line[];
    const m: bigint[] = memories.map(() => 0n);
    const c: bigint[] = memories.map(() => 0n);
    for (let k = 0; k < units.length; k++) {
      const rate = rates[k] as bigint;
      let at = 0;
      for (const [t, { fixed, perRate }] of memories.entries()) {
        const line = costs[t] as Line;
        const each = fixed + perRate * rate;
        const price = line.fixed + line.perRate * rate;
        m[t] = each;
        c[t] = price;
        const least = m[at] as bigint;
        if (each < least || (each === least && price < (c[at] as bigint))) at = t;
      }
      const count = units[k] as number;
      leastBytes += (m[at] as bigint) * BigInt(count);
      leastSeconds += (c[at] as bigint) * BigInt(count);
      for (let next = steepest(m, c, at); next !== at; next = steepest(m, c, at)) {
        bytes.push((m[next] as bigint) - (m[at] as bigint));
        seconds.push((c[at] as bigint) - (c[next] as bigint));
        counts.push(count);
        at = next;
      }
    }
  });
  return { bytes, seconds, units: counts, leastBytes, leastSeconds };
}

/**
 * Of the tiers with fewer seconds, the one that saves most per byte (the furthest of equal ones); `at` where none has.
 */
function steepest(m: readonly bigint[], c: readonly bigint[], at: number): number {
  const [from, price] = [m[at] as bigint, c[at] as bigint];
  let best = at;
  let run = 0n;
  let rise = 0n;
  for (let t = 0; t < m.length; t++) {
    const saved = price - (c[t] as bigint);
    if (saved <= 0n) continue;
    const more = (m[t] as bigint) - from;
    if (best !== at) {
      const [left, right] = [saved * run, rise * more];
      if (left < right || (left === right && more <= run)) continue;
    }
    best = t;
    run = more;
    rise = saved;
  }
  return best;
}
