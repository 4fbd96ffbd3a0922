import { Rational } from "../../exact/rational.js";

/** What three items cost a group that has two or all of them. */
export interface TriplePrice {
  /** All different. */
  readonly items: readonly [number, number, number];
  /** μ ≥ 0. */
  readonly price: Rational;
}

/**
 * Prices by which groups are judged: π_i of each item, which a group earns, and μ_C of triples of items, which it pays.
 *
 * Two groups of a partition cannot both have two of three items: Σ_S [|S ∩ C| ≥ 2]·x_S ≤ 1 for every triple C (the
 * subset-row inequalities of Jepsen, Petersen, Spoorendonk and Pisinger, Operations Research 56, 2008). So with
 *
 *   reduced(S) = cost(S) − Σ_{i in S} π_i + Σ_C μ_C·[|S ∩ C| ≥ 2],   μ ≥ 0,
 *
 * the value of every partition is at least Σ π − Σ μ + Σ reduced(S) over its groups.
 */
export interface GroupPrices {
  readonly items: readonly Rational[];
  readonly triples: readonly TriplePrice[];
}

/** Σ π − Σ μ: what prices are worth beside the reduced costs of groups. */
export function worthOf({ items, triples }: GroupPrices): Rational {
  const paid = triples.reduce((sum, { price }) => sum.add(price), Rational.zero);
  return items.reduce((sum, price) => sum.add(price), Rational.zero).subtract(paid);
}
