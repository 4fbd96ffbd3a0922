import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import type { Ladder, LadderForm, LadderTerm, Rail } from "../../../program/ladder/ladder.js";
import type { Stretch } from "../../../program/ladder/stretch.js";
import type { LadderNode } from "./node.js";

/** Multipliers of a ladder's rows, none above zero (its rows have only upper sides). Keyed by the row's index. */
export type LadderMultipliers = ReadonlyMap<number, Rational>;

/** What a unit costs in one tier of a rail under some multipliers: (fixed + perHeat · heat) / scale, in integers. */
export interface Line {
  readonly fixed: bigint;
  readonly perHeat: bigint;
}

/** What multipliers prove about a node. */
export interface LadderBound {
  /** No point of the node is below this; `null` when an auxiliary without a bound is left with a cost. */
  readonly bound: Rational | null;
  /** The node holds no point: a rail has no tier left, or an auxiliary's bounds have crossed. */
  readonly infeasible: boolean;
  /** `lines[rail][tier]`. */
  readonly lines: readonly (readonly Line[])[];
  /** One denominator of all lines. */
  readonly scale: bigint;
  /** Where each tier is cheapest: stretches that cover every rail. */
  readonly cheapest: readonly Stretch[];
}

/**
 * The Lagrangian bound of a ladder (see src/proof/kernel/bound.ts), in exact arithmetic: with multipliers y ≤ 0,
 *
 *   objective ≥ Σ_k y_k · upper_k + Σ over auxiliaries of their least + Σ over units of their cheapest tier.
 *
 * A unit's cost in a tier is affine in its heat, so where one tier is cheapest at both ends of a stretch it is cheapest
 * in between; the stretches are found by bisection. With `purpose: "infeasibility"` the objective counts as zero.
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
  const cheapest: Stretch[] = [];
  let sum = 0n;
  for (const [r, rail] of ladder.rails.entries()) {
    if (rail.units.length === 0) continue;
    const tiers = (node.allowed[r] as readonly boolean[]).flatMap((may, tier) => (may ? [tier] : []));
    if (tiers.length === 0) return nothing;
    const ofRail = lines[r] as readonly Line[];
    for (const stretch of cheapestStretches(rail, r, ofRail, tiers)) {
      const { from, to, tier } = stretch;
      const { fixed, perHeat } = ofRail[tier] as Line;
      const units = BigInt((rail.unitsBefore[to] as number) - (rail.unitsBefore[from] as number));
      sum += fixed * units + perHeat * ((rail.heatBefore[to] as bigint) - (rail.heatBefore[from] as bigint));
      cheapest.push(stretch);
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

/** Σ factor · form for every rail and tier, as integers over one denominator that heats are integers of. */
function linesOf(
  { rails, tiers, heatDenominator }: Ladder,
  priced: readonly { readonly form: LadderForm; readonly factor: Rational }[],
): { lines: readonly (readonly Line[])[]; scale: bigint } {
  const sums = rails.map((_, r) =>
    tiers.map((_, t) =>
      priced.reduce(
        (sum, { form, factor }) => {
          const { fixed, perHeat } = (form.terms[r] as readonly LadderTerm[])[t] as LadderTerm;
          return { fixed: sum.fixed.add(fixed.multiply(factor)), perHeat: sum.perHeat.add(perHeat.multiply(factor)) };
        },
        { fixed: Rational.zero, perHeat: Rational.zero },
      ),
    ),
  );
  let common = 1n;
  for (const { fixed, perHeat } of sums.flat()) {
    common = leastCommonMultiple(leastCommonMultiple(common, fixed.denominator), perHeat.denominator);
  }
  const lines = sums.map((ofRail) =>
    ofRail.map(({ fixed, perHeat }) => ({
      fixed: fixed.numerator * (common / fixed.denominator) * heatDenominator,
      perHeat: perHeat.numerator * (common / perHeat.denominator),
    })),
  );
  return { lines, scale: common * heatDenominator };
}

/** What a line comes to at a heat, over its scale. */
export function costAt({ fixed, perHeat }: Line, heat: bigint): bigint {
  return fixed + perHeat * heat;
}

/** The stretches of a rail on which each tier is cheapest; of equal ones, the first. */
function cheapestStretches(
  { heats }: Rail,
  rail: number,
  lines: readonly Line[],
  tiers: readonly number[],
): readonly Stretch[] {
  const best = (rung: number): number => {
    const heat = heats[rung] as bigint;
    let least = tiers[0] as number;
    let cost = costAt(lines[least] as Line, heat);
    for (const tier of tiers.slice(1)) {
      const other = costAt(lines[tier] as Line, heat);
      if (other < cost) {
        least = tier;
        cost = other;
      }
    }
    return least;
  };
  /** Whether `b` comes before `a` at a rung; along the rail this changes at most once. */
  const prefers = (b: number, a: number, rung: number): boolean => {
    const heat = heats[rung] as bigint;
    const difference = costAt(lines[b] as Line, heat) - costAt(lines[a] as Line, heat);
    return difference < 0n || (difference === 0n && b < a);
  };
  const stretches: Stretch[] = [];
  const cover = (from: number, to: number, left: number, right: number): void => {
    if (left === right) {
      const last = stretches.at(-1);
      if (last?.tier === left) stretches[stretches.length - 1] = { ...last, to };
      else stretches.push({ rail, from, to, tier: left });
      return;
    }
    // `left` is best at `from`, `right` at `to − 1`: somewhere in between `right` overtakes `left`.
    let low = from;
    let high = to - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (prefers(right, left, middle)) high = middle;
      else low = middle;
    }
    cover(from, high, left, best(high - 1));
    cover(high, to, best(high), right);
  };
  cover(0, heats.length, best(0), best(heats.length - 1));
  return stretches;
}
