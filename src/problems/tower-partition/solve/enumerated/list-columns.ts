import type { ClusterBlock, ClusterList } from "../../../../proof/kernel/grouping/column-pool.js";
import { SharedSets } from "../../../../proof/kernel/grouping/shared-sets.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import type { Cluster } from "../clusters.js";
import type { SearchDuals } from "../dual-values.js";

/** What going through a list finds. */
export interface Scan {
  /** By size: the least reduced cost; ∞ where there is no cluster. */
  readonly leastBySize: Float64Array;
  /** For each element the clusters of least reduced cost that have it, each once; only such as are below the cutoff. */
  readonly found: readonly Cluster[];
}

/** Clusters kept for each element. */
const KEPT = 3;

/** Clusters that are near, about, and how many are drawn to see which those are. */
const NEAR = 20_000;
const SAMPLE = 4000;

/** Listed clusters as the columns of a linear program, in doubles. */
export class ListColumns {
  readonly #numbers: DescentProblem;
  readonly #list: ClusterList;
  /** By block, what each cluster costs. */
  readonly #costs: readonly Float64Array[];
  /** By block, the clusters that were the cheapest at the last scan. */
  #near: readonly Uint32Array[] = [];

  constructor(numbers: DescentProblem, list: ClusterList) {
    this.#numbers = numbers;
    this.#list = list;
    const { elements: all, pairs, share } = numbers;
    this.#costs = list.map(({ size, elements }) =>
      new Float64Array(elements.length / size).map((_, g) => {
        let sum = 0;
        for (let b = g * size + 1; b < (g + 1) * size; b++) {
          const row = (elements[b] as number) * all;
          for (let a = g * size; a < b; a++) sum += pairs[row + (elements[a] as number)] as number;
        }
        return (share[size] as number) * sum;
      }),
    );
  }

  /** Goes through all clusters. */
  scan(duals: SearchDuals, cutoff: number): Scan {
    const reducedBy = this.#reducedBy(duals);
    const near = this.#nearestTo(duals);
    const kept = this.#list.map((): number[] => []);
    const best = new Best(this.#numbers.elements, cutoff);
    const leastBySize = new Float64Array(this.#numbers.elements + 1).fill(Number.POSITIVE_INFINITY);
    this.#list.forEach(({ size }, b) => {
      const count = (this.#costs[b] as Float64Array).length;
      let least = Number.POSITIVE_INFINITY;
      for (let g = 0; g < count; g++) {
        const reduced = reducedBy(b, g, Math.max(cutoff, least, near));
        if (reduced < near) (kept[b] as number[]).push(g);
        if (reduced < least) least = reduced;
        if (reduced < cutoff) best.offer(b, g, this.#list[b] as ClusterBlock, reduced);
      }
      leastBySize[size] = least;
    });
    this.#near = kept.map((clusters) => Uint32Array.from(clusters));
    return { leastBySize, found: this.#clustersOf(best) };
  }

  /** Goes through the clusters that were the cheapest at the last scan: what is below the cutoff now. */
  lookNear(duals: SearchDuals, cutoff: number): readonly Cluster[] {
    const reducedBy = this.#reducedBy(duals);
    const best = new Best(this.#numbers.elements, cutoff);
    this.#near.forEach((clusters, b) => {
      for (const g of clusters) {
        const reduced = reducedBy(b, g, cutoff);
        if (reduced < cutoff) best.offer(b, g, this.#list[b] as ClusterBlock, reduced);
      }
    });
    return this.#clustersOf(best);
  }

  /** Reduced costs, of a block's cluster; of one that is not below `most`, at least that. */
  #reducedBy({ elements: duals, sets }: SearchDuals): (b: number, g: number, most: number) => number {
    const shared = new SharedSets(
      this.#numbers.elements,
      sets.map(({ elements: units, ...set }) => ({ ...set, units, counts: units.map(() => 1) })),
    );
    return (b, g, most) => {
      const { size, elements } = this.#list[b] as ClusterBlock;
      const [from, to] = [g * size, (g + 1) * size];
      let reduced = (this.#costs[b] as Float64Array)[g] as number;
      for (let at = from; at < to; at++) reduced -= duals[elements[at] as number] as number;
      // What clusters pay only adds.
      return reduced < most ? reduced + shared.paidBy(elements, from, to) : reduced;
    };
  }

  /** A reduced cost that about {@link NEAR} clusters are below, by a sample of them. */
  #nearestTo(duals: SearchDuals): number {
    const count = this.#costs.reduce((sum, { length }) => sum + length, 0);
    if (count <= NEAR) return Number.POSITIVE_INFINITY;
    const reducedBy = this.#reducedBy(duals);
    const step = Math.floor(count / SAMPLE);
    const sample: number[] = [];
    this.#costs.forEach(({ length }, b) => {
      for (let g = 0; g < length; g += step) sample.push(reducedBy(b, g, Number.POSITIVE_INFINITY));
    });
    sample.sort((a, b) => a - b);
    return sample[Math.ceil((NEAR / count) * sample.length)] as number;
  }

  #clustersOf(best: Best): readonly Cluster[] {
    return best.all().map(([b, g]) => {
      const { size, elements } = this.#list[b] as ClusterBlock;
      return {
        elements: [...elements.subarray(g * size, (g + 1) * size)],
        cost: (this.#costs[b] as Float64Array)[g] as number,
      };
    });
  }
}

/** For each element the best clusters met so far. */
class Best {
  readonly #elements: number;
  readonly #reduced: Float64Array;
  readonly #block: Int32Array;
  readonly #cluster: Int32Array;

  constructor(elements: number, cutoff: number) {
    this.#elements = elements;
    this.#reduced = new Float64Array(elements * KEPT).fill(cutoff);
    this.#block = new Int32Array(elements * KEPT).fill(-1);
    this.#cluster = new Int32Array(elements * KEPT);
  }

  offer(block: number, cluster: number, { size, elements }: ClusterBlock, reduced: number): void {
    for (let at = cluster * size; at < (cluster + 1) * size; at++) {
      const first = (elements[at] as number) * KEPT;
      let place = first + KEPT - 1;
      if (reduced >= (this.#reduced[place] as number)) continue;
      for (; place > first && (this.#reduced[place - 1] as number) > reduced; place--) {
        this.#reduced[place] = this.#reduced[place - 1] as number;
        this.#block[place] = this.#block[place - 1] as number;
        this.#cluster[place] = this.#cluster[place - 1] as number;
      }
      this.#reduced[place] = reduced;
      this.#block[place] = block;
      this.#cluster[place] = cluster;
    }
  }

  /** By block and cluster, each once. */
  all(): readonly (readonly [number, number])[] {
    const known = new Map<string, readonly [number, number]>();
    for (let place = 0; place < this.#elements * KEPT; place++) {
      const block = this.#block[place] as number;
      if (block === -1) continue;
      const cluster = this.#cluster[place] as number;
      known.set(`${block},${cluster}`, [block, cluster]);
    }
    return [...known.values()];
  }
}
