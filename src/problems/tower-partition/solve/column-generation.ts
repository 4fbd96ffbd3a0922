import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Group } from "./clusters.js";
import { reducedCost, type SearchPrices } from "./dual-values.js";
import { type ExactPricing, type PricedNode, searchPrices } from "./exact-pricing.js";
import type { ClusterUse } from "./group-use.js";
import { descendGroup } from "./local-pricing.js";
import { GroupMaster, type MasterPrices } from "./master.js";
import { violatedTriples } from "./subset-row-cuts.js";

/** What column generation ends with. */
export interface Generated {
  /** The prices that prove most; `null` when time was up before any proved anything. */
  readonly best: PricedNode | null;
  /** The fractional partition at the end, most used first. */
  readonly usage: readonly ClusterUse[];
  /** All groups met. */
  readonly groups: readonly Group[];
}

export interface GenerateOptions {
  /** Groups of the node to start with. */
  readonly groups: readonly Group[];
  /** Prices to start around. */
  readonly center: Float64Array;
  /** Where the bound reaches this, there is nothing more to do. */
  readonly cutoff: number;
  /** Triples of items taken into account in each round; none where left out. */
  readonly triples?: number;
  readonly work: Work;
  /** Asked with the units of work that the walk in hand has taken. */
  readonly shouldStop: (walking: number) => boolean;
  /** Told of better bounds. */
  readonly onBound?: (bound: number) => void;
}

/** The radius of the first box, as a part of the mean price. */
const FIRST_RADIUS = 0.3;

/** The radius, in mean prices, of a box that leaves prices free. */
const WIDEST = 1e5;

/** Groups, by item, that local search starts from where those in use lead to nothing new. */
const WIDE = 2;

/** A reduced cost counts as negative below this part of the mean price. */
const TOLERANCE = 1e-9;

/** Rounds of triples end when so many have closed less than this part of what is open. */
const STALE = 6;
const MIN_RISE = 0.01;

/** The bound and the master this near to one another, relatively, are equal. */
const PRECISION = 1e-10;

/**
 * Column generation for one node: prices at which the bound of all its groups is as high as a linear program makes it. Prices
 * begin at the marginal costs of the best partition known and stay in a box around the best ones so far; local search
 * finds groups first, the walk through all groups where that finds none.
 */
export function generatePrices(
  numbers: DescentProblem,
  node: GroupingNode,
  pricing: ExactPricing,
  options: GenerateOptions,
): Generated {
  return new Generation(numbers, node, pricing, options).run();
}

class Generation {
  readonly #numbers: DescentProblem;
  readonly #node: GroupingNode;
  readonly #pricing: ExactPricing;
  readonly #options: GenerateOptions;
  readonly #master: GroupMaster;
  readonly #mean: number;
  #center: { items: Float64Array; group: number };
  #radius: number;
  #best: PricedNode | null = null;
  #bestPrices: SearchPrices;
  /** Rounds of triples that have raised the bound by next to nothing, and the bound before them. */
  #stale = 0;
  #before = Number.NEGATIVE_INFINITY;

  constructor(numbers: DescentProblem, node: GroupingNode, pricing: ExactPricing, options: GenerateOptions) {
    this.#numbers = numbers;
    this.#node = node;
    this.#pricing = pricing;
    this.#options = options;
    this.#master = new GroupMaster(numbers);
    for (const group of options.groups) if (this.#isAdmitted(group)) this.#master.add(group);
    const items = options.center;
    this.#center = { items, group: 0 };
    this.#bestPrices = { items, triples: [] };
    this.#mean = items.reduce((sum, price) => sum + Math.abs(price), 0) / items.length || 1;
    this.#radius = FIRST_RADIUS * this.#mean;
  }

  run(): Generated {
    const { cutoff } = this.#options;
    const shouldStop = (units = 0) => {
      this.#options.work.spend(units);
      return this.#options.shouldStop(0);
    };
    this.#focus();
    while (!shouldStop()) {
      const master = this.#master.solve(shouldStop);
      if (master === null) {
        // No prices in the box suit all groups known: a wider one.
        if (!shouldStop() && this.#radius < WIDEST * this.#mean) {
          this.#widen();
          continue;
        }
        // The simplex is at its wit's end: what these prices prove has to do.
        this.#priceAt(this.#bestPrices);
        break;
      }
      if (this.#priceLocally(master)) continue;
      this.#center = { items: master.items, group: master.group };
      const isWidest = this.#radius >= WIDEST * this.#mean;
      // Local search is done with this box: on to the next, without the cost of being sure.
      if (master.isFree || isWidest || this.#isBranched) {
        const isNew = this.#priceExactly(master);
        if (this.#best !== null && this.#best.bound >= cutoff) break;
        if (isNew) continue;
        if (master.isFree || isWidest) {
          if (this.#addTriples()) continue;
          break;
        }
      }
      this.#widen();
    }
    return { best: this.#best, usage: this.#master.usage(), groups: this.#master.groups };
  }

  #isAdmitted({ items }: Group): boolean {
    return this.#numbers.admits?.(items) !== false;
  }

  #focus(): void {
    this.#master.focus(this.#center, this.#radius, (this.#radius * this.#numbers.items) / this.#numbers.groups);
  }

  #widen(): void {
    this.#radius *= 2;
    this.#focus();
  }

  /** Takes the triples that the fractional partition violates into account; says whether there are any. */
  #addTriples(): boolean {
    const { triples: limit = 0, cutoff } = this.#options;
    if (limit === 0 || this.#best === null) return false;
    const isRise = this.#best.bound - this.#before > MIN_RISE * (cutoff - this.#before);
    this.#stale = isRise ? 0 : this.#stale + 1;
    if (isRise) this.#before = this.#best.bound;
    if (this.#stale >= STALE) return false;
    const violated = violatedTriples(this.#numbers.items, this.#master.usage(), limit);
    if (!this.#master.addTriples(violated)) return false;
    this.#radius = FIRST_RADIUS * this.#mean;
    this.#focus();
    return true;
  }

  /** Local search from the groups in use, then from many more; says whether the master has got something new. */
  #priceLocally(prices: MasterPrices): boolean {
    if (this.#isBranched) return false;
    const add = (starts: readonly (readonly number[])[]): boolean => {
      let isNew = false;
      const { items } = this.#numbers;
      for (const start of starts) {
        this.#options.work.spend(items * start.length * UNITS.pair);
        const { group, reduced } = descendGroup(this.#numbers, this.#node.window, prices, start);
        if (reduced >= prices.group - TOLERANCE * this.#mean || !this.#isAdmitted(group)) continue;
        if (this.#master.add(group)) isNew = true;
      }
      return isNew;
    };
    return add(this.#master.usage().map(({ group }) => group.items)) || add(this.#wideStarts(prices));
  }

  /** The groups of least reduced cost, and each item with those that go best with it. */
  #wideStarts(prices: SearchPrices): readonly (readonly number[])[] {
    const { items, pairs, share } = this.#numbers;
    const { least, most } = this.#node.window;
    const ranked = this.#master.groups
      .map((group) => ({ group, reduced: reducedCost(group, prices) }))
      .sort((a, b) => a.reduced - b.reduced)
      .slice(0, WIDE * items)
      .map(({ group }) => group.items);
    if (this.#numbers.load !== null) return ranked;
    const size = (least + most) >> 1;
    const around = Array.from({ length: items }, (_, item) => {
      const worth = (other: number) =>
        (share[size] as number) * (pairs[item * items + other] as number) * size - (prices.items[other] as number);
      const others = Array.from({ length: items }, (_, other) => other).filter((other) => other !== item);
      return [item, ...others.sort((a, b) => worth(a) - worth(b)).slice(0, size - 1)];
    });
    return [...ranked, ...around];
  }

  /** Local search knows nothing of items that must be together; those apart have pairs that keep them so. */
  get #isBranched(): boolean {
    return this.#node.together.length > 0;
  }

  /** The walk through all groups at the master's prices. Says whether the master has got something new. */
  #priceExactly(master: MasterPrices): boolean {
    const priced = this.#priceAt(master);
    if (priced === null || this.#best === null) return false;
    if (this.#best.bound >= master.value - PRECISION * Math.abs(master.value)) return false;
    let isNew = false;
    for (const group of priced.found) {
      if (reducedCost(group, master) >= master.group - TOLERANCE * this.#mean) continue;
      if (this.#master.add(group)) isNew = true;
    }
    return isNew;
  }

  /** Goes through all groups at some prices; `null` when time was up. */
  #priceAt(prices: SearchPrices): PricedNode | null {
    const known = this.#knownGroups(prices);
    const { work } = this.#options;
    const started = work.done;
    const shouldStop = (nodes: number) => {
      work.spend(nodes * UNITS.set);
      return this.#options.shouldStop(work.done - started);
    };
    const priced = this.#pricing.price(prices, known, { work, shouldStop });
    if (priced === null || (this.#best !== null && priced.bound <= this.#best.bound)) return priced;
    this.#best = priced;
    this.#bestPrices = searchPrices(priced.prices);
    this.#options.onBound?.(priced.bound);
    return priced;
  }

  /** Good groups under prices, to start the walk from. */
  #knownGroups(prices: SearchPrices): readonly Group[] {
    const used = this.#master.usage().map(({ group }) => group);
    if (this.#isBranched) return used;
    return used.map((group) => descendGroup(this.#numbers, this.#node.window, prices, group.items).group);
  }
}
