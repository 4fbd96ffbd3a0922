import type { Group } from "./clusters.js";

/** Three items and what a group pays that has two or all of them. */
export interface SearchTriple {
  readonly items: readonly [number, number, number];
  readonly price: number;
}

/** A set of items and what a group pays for every `divisor` of them that it has. */
export interface SearchSet {
  readonly items: readonly number[];
  readonly divisor: number;
  readonly price: number;
}

/** Prices of items and triples in doubles; what they mean is said at `GroupPrices` (src/proof/kernel/grouping/dual-values.ts). */
export interface SearchPrices {
  readonly items: Float64Array;
  readonly triples: readonly SearchTriple[];
  /** Only what is done with listed groups knows of these. */
  readonly sets?: readonly SearchSet[];
}

/** cost(S) − Σ_{i in S} π_i + Σ_C μ_C·[|S ∩ C| ≥ 2]. */
export function reducedCost({ items, cost }: Group, prices: SearchPrices): number {
  let reduced = cost;
  for (const item of items) reduced -= prices.items[item] as number;
  for (const triple of prices.triples) if (hasTwo(items, triple.items)) reduced += triple.price;
  return reduced;
}

/** Whether a group has two or all of three items. */
export function hasTwo(group: readonly number[], triple: readonly [number, number, number]): boolean {
  let count = 0;
  for (const item of triple) if (group.includes(item)) count++;
  return count >= 2;
}

/** Σ π − Σ μ·⌊|C| / d⌋. */
export function worthOfSearch({ items, triples, sets = [] }: SearchPrices): number {
  let worth = items.reduce((sum, price) => sum + price, 0);
  for (const { price } of triples) worth -= price;
  for (const { items, divisor, price } of sets) worth -= Math.floor(items.length / divisor) * price;
  return worth;
}

/** What triples change of a group's reduced cost when items come and go. */
export class TripleMoves {
  /** By item outside: what the group pays more with it. */
  readonly enter: Float64Array;
  /** By item inside: what it pays less without it. */
  readonly leave: Float64Array;
  /** At inside · items + outside: what both together pay more than that. */
  readonly both: Float64Array;
  /** What the group pays. */
  paid = 0;
  readonly #items: number;
  readonly #triples: readonly SearchTriple[];

  constructor(items: number, triples: readonly SearchTriple[]) {
    this.#items = items;
    this.#triples = triples;
    this.enter = new Float64Array(items);
    this.leave = new Float64Array(items);
    this.both = new Float64Array(triples.length === 0 ? 0 : items * items);
  }

  /** Looks at a group anew: 1 for each item inside. */
  update(inside: Uint8Array): void {
    this.enter.fill(0);
    this.leave.fill(0);
    this.paid = 0;
    for (const { items } of this.#triples) {
      for (const i of items) for (const j of items) this.both[i * this.#items + j] = 0;
    }
    for (const { items, price } of this.#triples) {
      const [a, b, c] = items;
      const count = (inside[a] as number) + (inside[b] as number) + (inside[c] as number);
      if (count >= 2) this.paid += price;
      if (count === 0 || count === 3) continue;
      for (const i of items) {
        if (inside[i] === 0 && count === 1) this.enter[i] = (this.enter[i] as number) + price;
        if (inside[i] === 1 && count === 2) this.leave[i] = (this.leave[i] as number) + price;
        // Exchanged for one another, they change nothing.
        for (const j of items) {
          if (inside[i] === 0 || inside[j] === 1) continue;
          const at = i * this.#items + j;
          this.both[at] = (this.both[at] as number) + (count === 1 ? -price : price);
        }
      }
    }
  }
}
