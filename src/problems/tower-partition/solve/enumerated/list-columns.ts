import { SharedSets } from "../../../../proof/kernel/grouping/chvatal-gomory-cuts.js";
import type { GroupBlock, GroupList } from "../../../../proof/kernel/grouping/column-pool.js";
import { SharedTriples } from "../../../../proof/kernel/grouping/subset-row-cuts.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import type { Group } from "../clusters.js";
import type { SearchPrices } from "../dual-values.js";

/** What going through a list finds. */
export interface Scan {
  /** By size: the least reduced cost; ∞ where there is no group. */
  readonly leastBySize: Float64Array;
  /** For each item the groups of least reduced cost that have it, each once; only such as are below the cutoff. */
  readonly found: readonly Group[];
}

/** Groups kept for each item. */
const KEPT = 3;

/** Groups that are near, about, and how many are drawn to see which those are. */
const NEAR = 20_000;
const SAMPLE = 4000;

/** Listed groups as the columns of a linear program, in doubles. */
export class ListColumns {
  readonly #numbers: DescentProblem;
  readonly #list: GroupList;
  /** By block, what each group costs. */
  readonly #costs: readonly Float64Array[];
  /** By block, the groups that were the cheapest at the last scan. */
  #near: readonly Uint32Array[] = [];

  constructor(numbers: DescentProblem, list: GroupList) {
    this.#numbers = numbers;
    this.#list = list;
    const { items: all, pairs, share } = numbers;
    this.#costs = list.map(({ size, items }) =>
      new Float64Array(items.length / size).map((_, g) => {
        let sum = 0;
        for (let b = g * size + 1; b < (g + 1) * size; b++) {
          const row = (items[b] as number) * all;
          for (let a = g * size; a < b; a++) sum += pairs[row + (items[a] as number)] as number;
        }
        return (share[size] as number) * sum;
      }),
    );
  }

  /** Goes through all groups. */
  scan(prices: SearchPrices, cutoff: number): Scan {
    const reducedBy = this.#reducedBy(prices);
    const near = this.#nearestTo(prices);
    const kept = this.#list.map((): number[] => []);
    const best = new Best(this.#numbers.items, cutoff);
    const leastBySize = new Float64Array(this.#numbers.items + 1).fill(Number.POSITIVE_INFINITY);
    this.#list.forEach(({ size }, b) => {
      const count = (this.#costs[b] as Float64Array).length;
      let least = Number.POSITIVE_INFINITY;
      for (let g = 0; g < count; g++) {
        const reduced = reducedBy(b, g, Math.max(cutoff, least, near));
        if (reduced < near) (kept[b] as number[]).push(g);
        if (reduced < least) least = reduced;
        if (reduced < cutoff) best.offer(b, g, this.#list[b] as GroupBlock, reduced);
      }
      leastBySize[size] = least;
    });
    this.#near = kept.map((groups) => Uint32Array.from(groups));
    return { leastBySize, found: this.#groupsOf(best) };
  }

  /** Goes through the groups that were the cheapest at the last scan: what is below the cutoff now. */
  lookNear(prices: SearchPrices, cutoff: number): readonly Group[] {
    const reducedBy = this.#reducedBy(prices);
    const best = new Best(this.#numbers.items, cutoff);
    this.#near.forEach((groups, b) => {
      for (const g of groups) {
        const reduced = reducedBy(b, g, cutoff);
        if (reduced < cutoff) best.offer(b, g, this.#list[b] as GroupBlock, reduced);
      }
    });
    return this.#groupsOf(best);
  }

  /** Reduced costs, of a block's group; of one that is not below `most`, at least that. */
  #reducedBy({ items: prices, triples, sets = [] }: SearchPrices): (b: number, g: number, most: number) => number {
    const all = this.#numbers.items;
    const sharedTriples = new SharedTriples(
      all,
      triples.map(({ items, price }) => ({ units: items, price })),
    );
    const sharedSets = new SharedSets(all, sets);
    return (b, g, most) => {
      const { size, items } = this.#list[b] as GroupBlock;
      const [from, to] = [g * size, (g + 1) * size];
      let reduced = (this.#costs[b] as Float64Array)[g] as number;
      for (let at = from; at < to; at++) reduced -= prices[items[at] as number] as number;
      // What groups pay only adds.
      if (reduced < most) reduced += sharedTriples.paidBy(items, from, to);
      if (reduced < most) reduced += sharedSets.paidBy(items, from, to);
      return reduced;
    };
  }

  /** A reduced cost that about {@link NEAR} groups are below, by a sample of them. */
  #nearestTo(prices: SearchPrices): number {
    const count = this.#costs.reduce((sum, { length }) => sum + length, 0);
    if (count <= NEAR) return Number.POSITIVE_INFINITY;
    const reducedBy = this.#reducedBy(prices);
    const step = Math.floor(count / SAMPLE);
    const sample: number[] = [];
    this.#costs.forEach(({ length }, b) => {
      for (let g = 0; g < length; g += step) sample.push(reducedBy(b, g, Number.POSITIVE_INFINITY));
    });
    sample.sort((a, b) => a - b);
    return sample[Math.ceil((NEAR / count) * sample.length)] as number;
  }

  #groupsOf(best: Best): readonly Group[] {
    return best.all().map(([b, g]) => {
      const { size, items } = this.#list[b] as GroupBlock;
      return {
        items: [...items.subarray(g * size, (g + 1) * size)],
        cost: (this.#costs[b] as Float64Array)[g] as number,
      };
    });
  }
}

/** For each item the best groups met so far. */
class Best {
  readonly #items: number;
  readonly #reduced: Float64Array;
  readonly #block: Int32Array;
  readonly #group: Int32Array;

  constructor(items: number, cutoff: number) {
    this.#items = items;
    this.#reduced = new Float64Array(items * KEPT).fill(cutoff);
    this.#block = new Int32Array(items * KEPT).fill(-1);
    this.#group = new Int32Array(items * KEPT);
  }

  offer(block: number, group: number, { size, items }: GroupBlock, reduced: number): void {
    for (let at = group * size; at < (group + 1) * size; at++) {
      const first = (items[at] as number) * KEPT;
      let place = first + KEPT - 1;
      if (reduced >= (this.#reduced[place] as number)) continue;
      for (; place > first && (this.#reduced[place - 1] as number) > reduced; place--) {
        this.#reduced[place] = this.#reduced[place - 1] as number;
        this.#block[place] = this.#block[place - 1] as number;
        this.#group[place] = this.#group[place - 1] as number;
      }
      this.#reduced[place] = reduced;
      this.#block[place] = block;
      this.#group[place] = group;
    }
  }

  /** By block and group, each once. */
  all(): readonly (readonly [number, number])[] {
    const known = new Map<string, readonly [number, number]>();
    for (let place = 0; place < this.#items * KEPT; place++) {
      const block = this.#block[place] as number;
      if (block === -1) continue;
      const group = this.#group[place] as number;
      known.set(`${block},${group}`, [block, group]);
    }
    return [...known.values()];
  }
}
