import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderForm, LadderRow, LadderTerm, Rail } from "../../program/ladder/ladder.js";
import { type Stretch, TierSums } from "../../program/ladder/stretch.js";
import { type LadderBound, ladderBound } from "../../proof/kernel/ladder/bound.js";
import type { LadderNode } from "../../proof/kernel/ladder/node.js";
import { type Facet, findFacet, type Vertex } from "./knapsack-solution.js";

/** Every unit in the tier that is cheapest at some price of the capacity. */
export interface KnapsackSolution extends Vertex {
  readonly stretches: readonly Stretch[];
  readonly sums: TierSums;
  /** What is proved with the price; `null` without one. */
  readonly bound: LadderBound | null;
}

export type LadderFacet = Facet<KnapsackSolution>;

/**
 * The optimum of a ladder's relaxation under one capacity, exactly: the price of the capacity's row and the fillings on
 * its two sides. `others` are the multipliers of the other rows, which stay as they are; `objective` is the ladder's own
 * or, to see how little of another capacity will do, that row's form.
 */
export function capacityFacet(
  ladder: Ladder,
  node: LadderNode,
  capacityRow: number,
  others: ReadonlyMap<number, Rational>,
): LadderFacet {
  const { form, upper: capacity } = ladder.rows[capacityRow] as LadderRow;
  const at = (price: Rational): KnapsackSolution | null => {
    const multipliers = new Map(others).set(capacityRow, price.negate());
    const bound = ladderBound(ladder, node, multipliers);
    if (bound.infeasible || bound.bound === null) return null;
    const sums = sumsOf(ladder, bound.cheapest);
    const used = sums.valueOf(form);
    const cost = bound.bound.subtract(price.multiply(used.subtract(capacity)));
    return { price, stretches: bound.cheapest, sums, used, cost, bound };
  };
  const leastUse = (over: KnapsackSolution): KnapsackSolution => {
    const { cheapest } = ladderBound(ladder, node, new Map([[capacityRow, Rational.one.negate()]]), "infeasibility");
    const sums = sumsOf(ladder, cheapest);
    // Both differ in the units alone: what the auxiliaries add is the same.
    const cost = over.cost.add(pricedUnits(ladder, others, sums).subtract(pricedUnits(ladder, others, over.sums)));
    return { price: null, stretches: cheapest, sums, used: sums.valueOf(form), cost, bound: null };
  };
  return findFacet(capacity, at, leastUse);
}

/** What the price of a facet proves. */
export function provedAt({ found }: Extract<LadderFacet, { kind: "solved" }>): Rational {
  return (found.bound as LadderBound).bound as Rational;
}

/** What a form's units come to at the optimum, between the two fillings of its facet. */
export function valueAtOptimum(facet: Extract<LadderFacet, { kind: "solved" }>, form: LadderForm): Rational {
  const { under, over, share } = facet;
  const below = under.sums.valueOf(form);
  return over === null ? below : below.add(share.multiply(over.sums.valueOf(form).subtract(below)));
}

function pricedUnits(ladder: Ladder, others: ReadonlyMap<number, Rational>, sums: TierSums): Rational {
  let cost = sums.valueOf(ladder.objective.form);
  for (const [k, y] of others) {
    cost = cost.subtract(y.multiply(sums.valueOf((ladder.rows[k] as LadderRow).form)));
  }
  return cost;
}

function sumsOf(ladder: Ladder, stretches: readonly Stretch[]): TierSums {
  const sums = new TierSums(ladder);
  for (const stretch of stretches) sums.addStretch(stretch);
  return sums;
}

/** Units of every rung in every tier: `counts[rung · tiers + tier]`. */
export function countsOf(ladder: Ladder, stretches: readonly Stretch[]): Float64Array {
  const { tiers, rails } = ladder;
  const first: number[] = [];
  let rungs = 0;
  for (const { units } of rails) {
    first.push(rungs);
    rungs += units.length;
  }
  const counts = new Float64Array(rungs * tiers.length);
  for (const { rail, from, to, tier } of stretches) {
    const { units } = rails[rail] as Rail;
    const start = first[rail] as number;
    for (let k = from; k < to; k++) counts[(start + k) * tiers.length + tier] = units[k] as number;
  }
  return counts;
}

/** Rungs that two vertices have in different tiers. */
interface Difference {
  readonly rail: number;
  readonly from: number;
  readonly to: number;
  readonly under: number;
  readonly over: number;
}

function differences(under: readonly Stretch[], over: readonly Stretch[]): Difference[] {
  const found: Difference[] = [];
  for (const a of under) {
    for (const b of over) {
      if (a.rail !== b.rail || a.tier === b.tier) continue;
      const from = Math.max(a.from, b.from);
      const to = Math.min(a.to, b.to);
      if (from < to) found.push({ rail: a.rail, from, to, under: a.tier, over: b.tier });
    }
  }
  return found;
}

/** `under` with as many whole units moved to where `over` has them as the capacity allows. */
export function roundedDown(
  ladder: Ladder,
  capacityRow: number,
  facet: Extract<LadderFacet, { kind: "solved" }>,
): Float64Array {
  const { under, over } = facet;
  const counts = countsOf(ladder, under.stretches);
  if (over === null) return counts;
  const { form, upper } = ladder.rows[capacityRow] as LadderRow;
  let room = upper.subtract(under.used);
  const starts: number[] = [];
  let rungs = 0;
  for (const { units } of ladder.rails) {
    starts.push(rungs);
    rungs += units.length;
  }
  for (const { rail, from, to, under: giver, over: taker } of differences(under.stretches, over.stretches)) {
    const { units, heats } = ladder.rails[rail] as Rail;
    for (let k = from; k < to && room.sign() > 0; k++) {
      const heat = Rational.of(heats[k] as bigint, ladder.heatDenominator);
      const step = termAt(form, rail, taker, heat).subtract(termAt(form, rail, giver, heat));
      if (step.sign() <= 0) continue;
      const fitting = room.divide(step).floor();
      const moved = fitting < BigInt(units[k] as number) ? Number(fitting) : (units[k] as number);
      const at = ((starts[rail] as number) + k) * ladder.tiers.length;
      counts[at + giver] = (counts[at + giver] as number) - moved;
      counts[at + taker] = (counts[at + taker] as number) + moved;
      room = room.subtract(step.multiply(Rational.of(BigInt(moved))));
    }
  }
  return counts;
}

function termAt({ terms }: LadderForm, rail: number, tier: number, heat: Rational): Rational {
  const { fixed, perHeat } = (terms[rail] as readonly LadderTerm[])[tier] as LadderTerm;
  return fixed.add(perHeat.multiply(heat));
}
