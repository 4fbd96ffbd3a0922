import { Rational } from "../../../exact/rational.js";

/** What three items cost a group that has two or all of them. */
export interface TriplePrice {
  /** All different. */
  readonly items: readonly [number, number, number];
  /** μ ≥ 0. */
  readonly price: Rational;
}

/** What a set of items costs a group for every d of its items that the group has. */
export interface SetPrice {
  /** At least d + 1, all different. */
  readonly items: readonly number[];
  /** d ≥ 2. */
  readonly divisor: number;
  /** μ ≥ 0. */
  readonly price: Rational;
}

/**
 * Prices by which groups are judged: π_i of each item, which a group earns, and μ_C of sets of items, which it pays.
 *
 * Two groups of a partition cannot both have two of three items: Σ_S [|S ∩ C| ≥ 2]·x_S ≤ 1 for every triple C. Likewise for
 * any set C and divisor d: the groups share out |C| items, so that Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋ (subset-row inequalities:
 * Jepsen, Petersen, Spoorendonk and Pisinger, Operations Research 56, 2008; Chvátal and Gomory). So with
 *
 *   reduced(S) = cost(S) − Σ_{i in S} π_i + Σ_C μ_C·⌊|S ∩ C| / d_C⌋,   μ ≥ 0,
 *
 * the value of every partition is at least Σ π − Σ μ_C·⌊|C| / d_C⌋ + Σ reduced(S) over its groups.
 */
export interface GroupPrices {
  readonly items: readonly Rational[];
  /** Sets of three with the divisor 2. */
  readonly triples: readonly TriplePrice[];
  /** Other sets. The walk through all groups leaves out what groups pay for them, which only lowers reduced costs. */
  readonly sets: readonly SetPrice[];
}

/** Σ π − Σ μ·⌊|C| / d⌋: what prices are worth beside the reduced costs of groups. */
export function worthOf({ items, triples, sets }: GroupPrices): Rational {
  let worth = items.reduce((sum, price) => sum.add(price), Rational.zero);
  for (const { price } of triples) worth = worth.subtract(price);
  for (const { items, divisor, price } of sets) {
    worth = worth.subtract(price.multiply(Rational.of(BigInt(Math.floor(items.length / divisor)))));
  }
  return worth;
}
