import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import type { GroupsBound } from "../../../proof/kernel/grouping/bound.js";
import { type GroupPrices, worthOf } from "../../../proof/kernel/grouping/dual-values.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { PricedGroups, type PricedSize } from "../../../proof/kernel/grouping/priced-groups.js";
import type { WalkLimits } from "../../../proof/kernel/grouping/priced-units.js";
import { groupsBelow } from "../../../proof/kernel/grouping/pricing.js";
import { leastSums, sizesWithin } from "../../../proof/kernel/grouping/size-vectors.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Group, groupOf, leastOverSizes } from "./clusters.js";
import { reducedCost, type SearchPrices, worthOfSearch } from "./dual-values.js";

/** What going through all groups under prices says. */
export interface PricedNode {
  readonly prices: GroupPrices;
  readonly sizes: GroupsBound["sizes"];
  /** No numbering of the node has a value below this, up to rounding; ∞ where it has none. */
  readonly bound: number;
  /** Groups of little reduced cost. */
  readonly found: readonly Group[];
  /** Units of work that it took. */
  readonly walking: number;
}

/** What ends a walk through groups, and where its work is counted. */
export interface PricingLimits extends WalkLimits {
  readonly work: Work;
}

/** How many groups of each size are kept, the last ones found: each is better than those before. */
const KEPT = 24;

/** Binary digits of prices behind those of their mean. */
const PRICE_BITS = 36;

/** The groups of one node, priced again and again. */
export class ExactPricing {
  readonly #grouping: Grouping;
  readonly #numbers: DescentProblem;
  readonly #node: GroupingNode;
  readonly #groups: PricedGroups;
  readonly #sizes: readonly number[];

  constructor(grouping: Grouping, numbers: DescentProblem, node: GroupingNode) {
    this.#grouping = grouping;
    this.#numbers = numbers;
    this.#node = node;
    this.#groups = new PricedGroups(grouping, node, "bound");
    this.#sizes = this.#groups.isEmpty ? [] : sizesWithin(grouping, node.window);
  }

  /**
   * Finds, for each size, the group of least reduced cost. `known`: groups of the node, from which the search starts.
   * `null` when a limit ended it.
   */
  price(wanted: SearchPrices, known: readonly Group[], { work, ...limits }: PricingLimits): PricedNode | null {
    const started = work.done;
    const prices = shortPrices(wanted);
    const doubles = searchPrices(prices);
    const starts = new Map<number, number>();
    for (const group of known) {
      const size = group.items.length;
      starts.set(size, Math.min(starts.get(size) ?? Number.POSITIVE_INFINITY, reducedCost(group, doubles)));
    }
    const sizes = new Map<number, { priced: PricedSize; least: Rational | null }>();
    const found: Group[] = [];
    const leastBySize = new Float64Array(this.#numbers.items + 1).fill(Number.POSITIVE_INFINITY);
    for (const size of this.#sizes) {
      work.spend(this.#numbers.items ** 2 * UNITS.pair);
      const priced = this.#groups.ofSize(size, prices);
      const least = this.#least(priced, starts.get(size), limits, found);
      if (least === undefined) return null;
      sizes.set(size, { priced, least });
      if (least !== null) leastBySize[size] = least.toNumber();
    }
    const rest = leastOverSizes(this.#numbers, this.#node.window, leastBySize);
    return {
      prices,
      sizes,
      bound: worthOfSearch(doubles) + rest,
      found,
      walking: work.done - started,
    };
  }

  /** What the same says in exact arithmetic. */
  exactBound({ prices, sizes }: PricedNode): GroupsBound {
    const { least } = leastSums(this.#grouping, new Map([...sizes].map(([size, { least }]) => [size, least])));
    return { prices, bound: least === null ? null : worthOf(prices).add(least), sizes };
  }

  /** The least reduced cost of one size, `null` where there is no group, `undefined` when a limit ended the search. */
  #least(
    priced: PricedSize,
    start: number | undefined,
    limits: WalkLimits,
    found: Group[],
  ): Rational | null | undefined {
    const kept: number[][] = [];
    let least = Number.POSITIVE_INFINITY;
    const search = (cutoff: number) =>
      groupsBelow(
        priced.units,
        cutoff,
        (units, count, sum) => {
          least = sum;
          kept.push(priced.itemsOf(units, count));
          return sum;
        },
        limits,
      );
    // Just above what is known: that is found again, with its exact sum.
    const above = start === undefined ? null : Rational.fromNumber(start + 1e-9 * (1 + Math.abs(start)));
    if (above !== null && !search(priced.cutoffOf(above))) return undefined;
    if (least === Number.POSITIVE_INFINITY && !search(Number.POSITIVE_INFINITY)) return undefined;
    for (const items of kept.slice(-KEPT)) found.push(groupOf(this.#numbers, items));
    return least === Number.POSITIVE_INFINITY ? null : priced.reducedOf(least);
  }
}

/** Prices with few digits, so that certificates are short. */
export function shortPrices({ items, triples, sets = [] }: SearchPrices): GroupPrices {
  const mean = items.reduce((sum, price) => sum + Math.abs(price), 0) / Math.max(1, items.length);
  const unit = mean > 0 ? 2 ** (Math.ceil(Math.log2(mean)) - PRICE_BITS) : 1;
  const short = (price: number) => Rational.fromNumber(Math.round(price / unit) * unit);
  const isPaid = ({ price }: { readonly price: Rational }) => price.sign() > 0;
  return {
    items: Array.from(items, short),
    triples: triples.map((triple) => ({ ...triple, price: short(triple.price) })).filter(isPaid),
    sets: sets.map((set) => ({ ...set, price: short(set.price) })).filter(isPaid),
  };
}

/** The same as doubles, which they are. */
export function searchPrices({ items, triples, sets }: GroupPrices): SearchPrices {
  return {
    items: Float64Array.from(items, (price) => price.toNumber()),
    triples: triples.map((triple) => ({ ...triple, price: triple.price.toNumber() })),
    sets: sets.map((set) => ({ ...set, price: set.price.toNumber() })),
  };
}
