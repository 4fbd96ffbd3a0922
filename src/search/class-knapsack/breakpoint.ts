import { Rational } from "../../exact/rational.js";
import { type Interval, TierSums } from "../../program/ladder/interval.js";
import {
  type Chain,
  firstClasses,
  type Ladder,
  type LadderForm,
  type LadderRow,
  type LadderTerm,
} from "../../program/ladder/ladder.js";
import { type LadderBound, ladderBound } from "../../proof/kernel/ladder/bound.js";
import type { LadderNode } from "../../proof/kernel/ladder/node.js";
import { type Breakpoint, type DualLine, findBreakpoint } from "./knapsack-solution.js";

/** Every unit in the tier that is cheapest at some price of the capacity. */
export interface KnapsackSolution extends DualLine {
  readonly intervals: readonly Interval[];
  readonly sums: TierSums;
  /** What is proved with the price; `null` without one. */
  readonly bound: LadderBound | null;
}

export type LadderBreakpoint = Breakpoint<KnapsackSolution>;

/**
 * The optimum of a ladder's relaxation under one capacity, exactly: the price of the capacity's row and the fillings on
 * its two sides. `others` are the multipliers of the other rows, which stay as they are; `objective` is the ladder's
 * own or, to see how little of another capacity will do, that row's form.
 */
export function capacityBreakpoint(
  ladder: Ladder,
  node: LadderNode,
  capacityRow: number,
  others: ReadonlyMap<number, Rational>,
): LadderBreakpoint {
  const { form } = ladder.rows[capacityRow] as LadderRow;
  const capacity = capacityAt(ladder, node, capacityRow);
  const at = (price: Rational): KnapsackSolution | null => {
    const multipliers = new Map(others).set(capacityRow, price.negate());
    const bound = ladderBound(ladder, node, multipliers);
    if (bound.infeasible || bound.bound === null) return null;
    const sums = new TierSums(ladder, bound.cheapest);
    const used = sums.valueOf(form);
    const cost = bound.bound.subtract(price.multiply(used.subtract(capacity)));
    return { price, intervals: bound.cheapest, sums, used, cost, bound };
  };
  const leastUse = (over: KnapsackSolution): KnapsackSolution => {
    const { cheapest } = ladderBound(ladder, node, new Map([[capacityRow, Rational.one.negate()]]), "infeasibility");
    const sums = new TierSums(ladder, cheapest);
    // Both differ in the units alone: what the auxiliaries add is the same.
    const cost = over.cost.add(pricedUnits(ladder, others, sums).subtract(pricedUnits(ladder, others, over.sums)));
    return { price: null, intervals: cheapest, sums, used: sums.valueOf(form), cost, bound: null };
  };
  return findBreakpoint(capacity, at, leastUse);
}

/** What a row leaves for units: its side, less what auxiliaries that are decided take of it. */
export function capacityAt(ladder: Ladder, node: LadderNode, row: number): Rational {
  const { form, upper } = ladder.rows[row] as LadderRow;
  return form.auxiliaries.reduce((left, coefficient, a) => {
    const { lower } = node.auxiliaries[a] as (typeof node.auxiliaries)[number];
    return coefficient.sign() === 0 || lower === null ? left : left.subtract(coefficient.multiply(lower));
  }, upper);
}

/** What the price of a facet proves. */
export function provedAt({ found }: Extract<LadderBreakpoint, { kind: "solved" }>): Rational {
  return (found.bound as LadderBound).bound as Rational;
}

/** What a form's units come to at the optimum, between the two fillings of its facet. */
export function valueAtOptimum(breakpoint: Extract<LadderBreakpoint, { kind: "solved" }>, form: LadderForm): Rational {
  const { under, over, share } = breakpoint;
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

/** Units of every class in every tier: `counts[class · tiers + tier]`. */
export function countsOf(ladder: Ladder, intervals: readonly Interval[]): Float64Array {
  const { tiers, chains } = ladder;
  const first = firstClasses(ladder);
  const counts = new Float64Array((first.at(-1) as number) * tiers.length);
  for (const { chain, from, to, tier } of intervals) {
    const { units } = chains[chain] as Chain;
    for (let k = from; k < to; k++) counts[((first[chain] as number) + k) * tiers.length + tier] = units[k] as number;
  }
  return counts;
}

/** Classes that two vertices have in different tiers. */
interface Difference {
  readonly chain: number;
  readonly from: number;
  readonly to: number;
  readonly under: number;
  readonly over: number;
}

function differences(under: readonly Interval[], over: readonly Interval[]): Difference[] {
  const found: Difference[] = [];
  for (const a of under) {
    for (const b of over) {
      if (a.chain !== b.chain || a.tier === b.tier) continue;
      const from = Math.max(a.from, b.from);
      const to = Math.min(a.to, b.to);
      if (from < to) found.push({ chain: a.chain, from, to, under: a.tier, over: b.tier });
    }
  }
  return found;
}

/** `under` with as many whole units moved to where `over` has them as the capacity allows. */
export function roundedDown(
  ladder: Ladder,
  node: LadderNode,
  capacityRow: number,
  breakpoint: Extract<LadderBreakpoint, { kind: "solved" }>,
): Float64Array {
  const { under, over } = breakpoint;
  const counts = countsOf(ladder, under.intervals);
  if (over === null) return counts;
  const { form } = ladder.rows[capacityRow] as LadderRow;
  let room = capacityAt(ladder, node, capacityRow).subtract(under.used);
  const first = firstClasses(ladder);
  for (const { chain, from, to, under: giver, over: taker } of differences(under.intervals, over.intervals)) {
    const { units, rates } = ladder.chains[chain] as Chain;
    for (let k = from; k < to && room.sign() > 0; k++) {
      const rate = Rational.of(rates[k] as bigint, ladder.rateDenominator);
      const step = termAt(form, chain, taker, rate).subtract(termAt(form, chain, giver, rate));
      if (step.sign() <= 0) continue;
      const fitting = room.divide(step).floor();
      const moved = fitting < BigInt(units[k] as number) ? Number(fitting) : (units[k] as number);
      const at = ((first[chain] as number) + k) * ladder.tiers.length;
      counts[at + giver] = (counts[at + giver] as number) - moved;
      counts[at + taker] = (counts[at + taker] as number) + moved;
      room = room.subtract(step.multiply(Rational.of(BigInt(moved))));
    }
  }
  return counts;
}

/** What a unit adds to a form. */
export function termAt({ terms }: LadderForm, chain: number, tier: number, rate: Rational): Rational {
  const { fixed, perRate } = (terms[chain] as readonly LadderTerm[])[tier] as LadderTerm;
  return fixed.add(perRate.multiply(rate));
}
