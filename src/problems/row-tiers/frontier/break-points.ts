import { greatestCommonDivisor, nearestDouble, Rational } from "../../../exact/rational.js";
import type { Chain, Ladder, LadderForm, LadderRow } from "../../../program/ladder/ladder.js";
import { type LadderBound, type Line, linesOf } from "../../../proof/kernel/ladder/bound.js";
import { ConvexCurve, ConvexityError } from "./convex-curve.js";
import type { RelaxedLadder } from "./relaxed-ladder.js";

/**
 * The memory/latency frontier of the relaxation, every break-point, exactly: the least seconds V(M) for every memory M.
 *
 * With one objective sum and one capacity the relaxation falls apart into units at every price λ of memory: each takes a
 * tier of least seconds + λ · bytes. What all units together can come to is the Minkowski sum of their hulls, and its
 * lower left boundary is the boundary's edges of all of them, laid end to end from the steepest on. So all break-points
 * come from one sort, and λ = −V′(M) is known between any two (parametric linear programming; Gass and Saaty 1955; the
 * greedy algorithm of the multiple-choice knapsack's relaxation, Sinha and Zoltners 1979).
 *
 * Classes of rows with edges of one slope share a break-point. Time O(n log n) for n classes. Throws {@link
 * ConvexityError} if what comes out is not convex, which is checked exactly.
 */
export function breakPoints({ ladder, roles }: RelaxedLadder): ConvexCurve {
  const memory = integerForm(ladder, (ladder.rows[roles.memoryRow] as LadderRow).form);
  const cost = integerForm(ladder, ladder.objective.form);
  const edges = unitEdges(ladder, memory, cost);
  const slopes = new Slopes(edges.seconds, edges.bytes);
  const bytes = [edges.leastBytes];
  const seconds = [edges.leastSeconds];
  let last = -1;
  for (const k of slopes.steepestFirst()) {
    const order = last === -1 ? -1 : slopes.compareSteepest(last, k);
    if (order > 0 || (edges.bytes[k] as bigint) <= 0n || (edges.seconds[k] as bigint) <= 0n) {
      throw new ConvexityError("the relaxation's frontier is not convex and falling");
    }
    const units = BigInt(edges.units[k] as number);
    const end = { bytes: bytes.at(-1) as bigint, seconds: seconds.at(-1) as bigint };
    // An edge of the same slope goes on in the same direction.
    const at = order === 0 ? bytes.length - 1 : bytes.length;
    bytes[at] = end.bytes + units * (edges.bytes[k] as bigint);
    seconds[at] = end.seconds - units * (edges.seconds[k] as bigint);
    last = k;
  }
  return new ConvexCurve(
    bytes.length,
    (k) => ({
      bytes: Rational.of(bytes[k] as bigint, memory.scale),
      seconds: Rational.of(seconds[k] as bigint, cost.scale),
    }),
    (k) => ({
      bytes: nearestDouble(bytes[k] as bigint, memory.scale),
      seconds: nearestDouble(seconds[k] as bigint, cost.scale),
    }),
  );
}

/**
 * Ratios of positive integers, to be put in order: the doubles decide where they differ by more than they can be wrong,
 * exact products where they do not.
 */
export class Slopes {
  readonly #rises: readonly bigint[];
  readonly #runs: readonly bigint[];
  readonly #approximate: Float64Array;

  /** Slope k is rises[k] / runs[k]. */
  constructor(rises: readonly bigint[], runs: readonly bigint[]) {
    this.#rises = rises;
    this.#runs = runs;
    this.#approximate = Float64Array.from(rises, (rise, k) => Number(rise) / Number(runs[k] as bigint));
  }

  /** Below zero where slope `a` is steeper than slope `b`, zero where they are equal. */
  compareSteepest(a: number, b: number): number {
    const p = this.#approximate[a] as number;
    const q = this.#approximate[b] as number;
    // Three roundings, each by 2^-53 at most. Not true of what overflowed or is too small to be a normal double.
    if (Math.abs(p - q) > NOISE * Math.max(p, q) && p > LEAST && q > LEAST) return q - p;
    const left = (this.#rises[b] as bigint) * (this.#runs[a] as bigint);
    const right = (this.#rises[a] as bigint) * (this.#runs[b] as bigint);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** All slopes, the steepest first. */
  steepestFirst(): Int32Array {
    const order = Int32Array.from(this.#approximate.keys());
    return order.sort((a, b) => this.compareSteepest(a, b));
  }
}

const NOISE = 2 ** -50;
const LEAST = 1e-290;

/** What each tier of each chain adds to a form, as {@link Line} has it. */
type IntegerForm = Pick<LadderBound, "lines" | "scale">;

/** A form's terms as integers over one denominator for all chains and tiers. */
function integerForm(ladder: Ladder, form: LadderForm): IntegerForm {
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
interface UnitEdges {
  /** Of one unit, over the forms' denominators. */
  readonly bytes: bigint[];
  readonly seconds: bigint[];
  /** How many units. */
  readonly units: number[];
  /** Σ over all units of their tier of least memory; of those, of the one with fewest seconds. */
  readonly leastBytes: bigint;
  readonly leastSeconds: bigint;
}

function unitEdges({ chains }: Ladder, memory: IntegerForm, cost: IntegerForm): UnitEdges {
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
