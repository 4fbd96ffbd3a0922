import { Rational } from "../../exact/rational.js";
import type { Ladder, LadderForm, LadderRow, LadderTerm, Rail } from "../../program/ladder/ladder.js";
import { type Stretch, TierSums } from "../../program/ladder/stretch.js";
import { type LadderBound, ladderBound } from "../../proof/ladder/bound.js";
import type { LadderNode } from "../../proof/ladder/node.js";

/** Every unit in the tier that is cheapest at some price of the capacity: a vertex of the relaxation's frontier. */
export interface Vertex {
  readonly price: Rational | null;
  readonly stretches: readonly Stretch[];
  readonly sums: TierSums;
  /** What it uses of the capacity. */
  readonly used: Rational;
  /** Cost without the capacity's price. */
  readonly cost: Rational;
}

/** The optimum of a ladder's relaxation with one capacity: the facet of its frontier that the capacity lies on. */
export type Facet =
  | { readonly kind: "infeasible" }
  | {
      readonly kind: "solved";
      /** Cost per unit of capacity, not negative; exact. */
      readonly price: Rational;
      /** What is proved with this price. */
      readonly bound: LadderBound;
      /** Within the capacity. */
      readonly under: Vertex;
      /** Beyond the capacity; `null` where the price is zero. The optimum lies between it and `under`. */
      readonly over: Vertex | null;
      /** The optimum's share of `over`; `under` has the rest. */
      readonly share: Rational;
    };

/** Prices other than the chord's that are tried before the search goes on by chords alone. */
const MOST_NUDGES = 60;

/**
 * Finds the facet exactly. The price that makes two vertices on both sides of the capacity equally good is tried; either
 * no vertex is better at that price, and the facet is found, or the better one takes the place of one of the two (Eisner
 * and Severance 1976, for the one capacity that is asked for). A price half-way between the two keeps the search from
 * creeping along one side.
 *
 * `others` are the multipliers of all rows but the capacity's, which stay as they are.
 */
export function findFacet(
  ladder: Ladder,
  node: LadderNode,
  capacityRow: number,
  others: ReadonlyMap<number, Rational>,
): Facet {
  const { form, upper: capacity } = ladder.rows[capacityRow] as LadderRow;
  const at = (price: Rational) => {
    const multipliers = new Map(others).set(capacityRow, price.negate());
    const bound = ladderBound(ladder, node, multipliers);
    const sums = sumsOf(ladder, bound.cheapest);
    const used = sums.valueOf(form);
    const cost = (bound.bound as Rational).subtract(price.multiply(used.subtract(capacity)));
    const vertex: Vertex = { price, stretches: bound.cheapest, sums, used, cost };
    return { bound, vertex };
  };
  const free = ladderBound(ladder, node, others);
  if (free.infeasible || free.bound === null) return { kind: "infeasible" };
  const first = at(Rational.zero);
  if (first.vertex.used.compare(capacity) <= 0) {
    const none = Rational.zero;
    return { kind: "solved", price: none, bound: first.bound, under: first.vertex, over: null, share: none };
  }
  let over = first.vertex;
  let under = leastUse(ladder, node, capacityRow, others, over);
  if (under.used.compare(capacity) > 0) return { kind: "infeasible" };
  let sameSide = 0;
  let nudges = 0;
  for (;;) {
    const chord = under.cost.subtract(over.cost).divide(over.used.subtract(under.used));
    const nudged = Math.abs(sameSide) >= 2 && nudges < MOST_NUDGES ? between(over, under) : null;
    if (nudged !== null) {
      nudges++;
      sameSide = 0;
    }
    const { bound, vertex } = at(nudged ?? chord);
    if (nudged === null) {
      const expected = over.cost.add(chord.multiply(over.used.subtract(capacity)));
      if ((bound.bound as Rational).compare(expected) >= 0) {
        const share = capacity.subtract(under.used).divide(over.used.subtract(under.used));
        return { kind: "solved", price: chord, bound, under, over, share };
      }
    }
    if (vertex.used.compare(capacity) <= 0) {
      under = vertex;
      sameSide = Math.max(1, sameSide + 1);
    } else {
      over = vertex;
      sameSide = Math.min(-1, sameSide - 1);
    }
  }
}

/** A price between those of two vertices, `null` where there is none. */
function between({ price: low }: Vertex, { price: high }: Vertex): Rational | null {
  if (low === null || high === null) return null;
  const [a, b] = [low.toNumber(), high.toNumber()];
  const middle = a > 0 ? Math.sqrt(a) * Math.sqrt(b) : b / 2;
  return middle > a && middle < b ? Rational.fromNumber(middle) : null;
}

/** The vertex that uses least of the capacity. */
function leastUse(
  ladder: Ladder,
  node: LadderNode,
  capacityRow: number,
  others: ReadonlyMap<number, Rational>,
  over: Vertex,
): Vertex {
  const minusOne = new Map([[capacityRow, Rational.one.negate()]]);
  const { cheapest } = ladderBound(ladder, node, minusOne, "infeasibility");
  const sums = sumsOf(ladder, cheapest);
  const used = sums.valueOf((ladder.rows[capacityRow] as LadderRow).form);
  // Both differ in the units alone: what the auxiliaries add is the same.
  const cost = over.cost.add(pricedUnits(ladder, others, sums).subtract(pricedUnits(ladder, others, over.sums)));
  return { price: null, stretches: cheapest, sums, used, cost };
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
  facet: Extract<Facet, { kind: "solved" }>,
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
