import { firstFrom } from "../../../exact/first-from.js";
import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import type { Interval } from "../../../program/ladder/interval.js";
import type { Chain, Ladder, LadderForm, LadderTerm } from "../../../program/ladder/ladder.js";
import type { LadderNode } from "./node.js";

/** Multipliers of a ladder's rows, none above zero (its rows have only upper sides). Keyed by the row's index. */
export type LadderMultipliers = ReadonlyMap<number, Rational>;

/** What a unit costs in one tier of a chain under some multipliers: (fixed + perRate · rate) / scale, in integers. */
export interface Line {
  readonly fixed: bigint;
  readonly perRate: bigint;
}

/** What multipliers prove about a node. */
export interface LadderBound {
  /** No point of the node is below this; `null` when an auxiliary without a bound is left with a cost. */
  readonly bound: Rational | null;
  /** The node holds no point: a chain has no tier left, or an auxiliary's bounds have crossed. */
  readonly infeasible: boolean;
  /** `lines[chain][tier]`. */
  readonly lines: readonly (readonly Line[])[];
  /** One denominator of all lines. */
  readonly scale: bigint;
  /** Where each tier is cheapest: intervals that cover every chain. */
  readonly cheapest: readonly Interval[];
}

/**
 * The Lagrangian bound of a ladder (see src/proof/kernel/bound.ts), in exact arithmetic: with multipliers y ≤ 0,
 *
 *   objective ≥ Σ_k y_k · upper_k + Σ over auxiliaries of their least + Σ over units of their cheapest tier.
 *
 * A unit's cost in a tier is affine in its rate, so where one tier is cheapest at both ends of an interval it is
 * cheapest in between; the intervals are found by bisection. With `purpose: "infeasibility"` the objective counts as
 * zero.
 *
 * Throws `RangeError` for a multiplier above zero.
 */
export function ladderBound(
  ladder: Ladder,
  node: LadderNode,
  multipliers: LadderMultipliers,
  purpose: "bound" | "infeasibility" = "bound",
): LadderBound {
  const priced: { readonly form: LadderForm; readonly factor: Rational }[] = [];
  if (purpose === "bound") priced.push({ form: ladder.objective.form, factor: Rational.one });
  let bound = Rational.zero;
  for (const [k, y] of multipliers) {
    const row = ladder.rows[k];
    if (row === undefined || y.sign() === 0) continue;
    if (y.sign() > 0) throw new RangeError(`multiplier ${y} prices a side that the row "${row.name}" does not have`);
    bound = bound.add(y.multiply(row.upper));
    priced.push({ form: row.form, factor: y.negate() });
  }
  const { lines, scale } = linesOf(ladder, priced);
  const nothing = { bound: null, infeasible: true, lines, scale, cheapest: [] };
  let unbounded = false;
  for (const [a, { lower, upper }] of node.auxiliaries.entries()) {
    if (lower !== null && upper !== null && lower.compare(upper) > 0) return nothing;
    const cost = priced.reduce(
      (sum, { form, factor }) => sum.add((form.auxiliaries[a] as Rational).multiply(factor)),
      Rational.zero,
    );
    if (cost.sign() === 0) continue;
    const at = cost.sign() > 0 ? lower : upper;
    if (at === null) unbounded = true;
    else bound = bound.add(cost.multiply(at));
  }
  const cheapest: Interval[] = [];
  let sum = 0n;
  for (const [r, chain] of ladder.chains.entries()) {
    if (chain.units.length === 0) continue;
    const tiers = (node.allowed[r] as readonly boolean[]).flatMap((may, tier) => (may ? [tier] : []));
    if (tiers.length === 0) return nothing;
    const ofChain = lines[r] as readonly Line[];
    for (const interval of cheapestIntervals(chain, r, ofChain, tiers)) {
      const { from, to, tier } = interval;
      const { fixed, perRate } = ofChain[tier] as Line;
      const units = BigInt((chain.unitsBefore[to] as number) - (chain.unitsBefore[from] as number));
      sum += fixed * units + perRate * ((chain.rateBefore[to] as bigint) - (chain.rateBefore[from] as bigint));
      cheapest.push(interval);
    }
  }
  return {
    bound: unbounded ? null : bound.add(Rational.of(sum, scale)),
    infeasible: false,
    lines,
    scale,
    cheapest,
  };
}

/** Σ factor · form for every chain and tier, as integers over one denominator that rates are integers of. */
export function linesOf(
  { chains, tiers, rateDenominator }: Ladder,
  priced: readonly { readonly form: LadderForm; readonly factor: Rational }[],
): { lines: readonly (readonly Line[])[]; scale: bigint } {
  const sums = chains.map((_, r) =>
    tiers.map((_, t) =>
      priced.reduce(
        (sum, { form, factor }) => {
          const { fixed, perRate } = (form.terms[r] as readonly LadderTerm[])[t] as LadderTerm;
          return { fixed: sum.fixed.add(fixed.multiply(factor)), perRate: sum.perRate.add(perRate.multiply(factor)) };
        },
        { fixed: Rational.zero, perRate: Rational.zero },
      ),
    ),
  );
  let common = 1n;
  for (const { fixed, perRate } of sums.flat()) {
    common = leastCommonMultiple(leastCommonMultiple(common, fixed.denominator), perRate.denominator);
  }
  const lines = sums.map((ofChain) =>
    ofChain.map(({ fixed, perRate }) => ({
      fixed: fixed.numerator * (common / fixed.denominator) * rateDenominator,
      perRate: perRate.numerator * (common / perRate.denominator),
    })),
  );
  return { lines, scale: common * rateDenominator };
}

/** What a line comes to at a rate, over its scale. */
export function costAt({ fixed, perRate }: Line, rate: bigint): bigint {
  return fixed + perRate * rate;
}

/** The intervals of a chain on which each tier is cheapest; of equal ones, the first. */
function cheapestIntervals(
  { rates }: Chain,
  chain: number,
  lines: readonly Line[],
  tiers: readonly number[],
): readonly Interval[] {
  const best = (unitClass: number): number => {
    const rate = rates[unitClass] as bigint;
    let least = tiers[0] as number;
    let cost = costAt(lines[least] as Line, rate);
    for (const tier of tiers.slice(1)) {
      const other = costAt(lines[tier] as Line, rate);
      if (other < cost) {
        least = tier;
        cost = other;
      }
    }
    return least;
  };
  /** Whether `b` comes before `a` at a class; along the chain this changes at most once. */
  const prefers = (b: number, a: number, unitClass: number): boolean => {
    const rate = rates[unitClass] as bigint;
    const difference = costAt(lines[b] as Line, rate) - costAt(lines[a] as Line, rate);
    return difference < 0n || (difference === 0n && b < a);
  };
  const intervals: Interval[] = [];
  const cover = (from: number, to: number, left: number, right: number): void => {
    if (left === right) {
      const last = intervals.at(-1);
      if (last?.tier === left) intervals[intervals.length - 1] = { ...last, to };
      else intervals.push({ chain, from, to, tier: left });
      return;
    }
    // `left` is best at `from`, `right` at `to − 1`: somewhere in between `right` overtakes `left`.
    const turn = from + firstFrom(to - from, (place) => prefers(right, left, from + place));
    cover(from, turn, left, best(turn - 1));
    cover(turn, to, best(turn), right);
  };
  cover(0, rates.length, best(0), best(rates.length - 1));
  return intervals;
}
