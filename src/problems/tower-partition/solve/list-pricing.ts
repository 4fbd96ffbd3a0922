import type { Grouping } from "../../../program/grouping/grouping.js";
import { clusterCount, dualList, listBelow, type PricedList } from "../../../proof/kernel/grouping/column-pool.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { PricedClusters } from "../../../proof/kernel/grouping/priced-clusters.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Cluster } from "./clusters.js";
import type { SearchDuals } from "./dual-values.js";
import { type PricedNode, type Pricing, shortDuals } from "./exact-pricing.js";
import type { MasterDuals } from "./master.js";

/** Listed clusters, priced again and again: a look at all of them takes the place of local search and of the walk. */
export class ListPricing implements Pricing {
  readonly #grouping: Grouping;
  readonly #elements: number;
  readonly #clusters: PricedClusters;
  readonly #list: PricedList;
  readonly #work: Work;
  /** By block, what each cluster costs. */
  readonly #costs: readonly Float64Array[];

  constructor(
    grouping: Grouping,
    { elements: all, pairs, share }: DescentProblem,
    { window }: GroupingNode,
    list: PricedList,
    work: Work,
  ) {
    [this.#grouping, this.#elements, this.#list, this.#work] = [grouping, all, list, work];
    this.#clusters = new PricedClusters(grouping, { window, together: [], apart: [] }, "bound");
    this.#costs = list.blocks.map(({ size, elements }) =>
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

  /** For each element the cluster of least reduced cost that has it, where that improves the master. */
  readonly improving = ({ elements: duals, cutoff }: MasterDuals): readonly Cluster[] => {
    const least = new Float64Array(this.#elements).fill(cutoff);
    const best = new Map<number, Cluster>();
    const { blocks } = this.#list;
    blocks.forEach(({ size, elements }, b) => {
      const costs = this.#costs[b] as Float64Array;
      this.#work.spend(elements.length * UNITS.subset);
      costs.forEach((cost, g) => {
        const [from, to] = [g * size, (g + 1) * size];
        let reduced = cost;
        for (let at = from; at < to; at++) reduced -= duals[elements[at] as number] as number;
        if (reduced >= cutoff) return;
        let cluster: Cluster | null = null;
        for (let at = from; at < to; at++) {
          const element = elements[at] as number;
          if (reduced >= (least[element] as number)) continue;
          cluster ??= { elements: [...elements.subarray(from, to)], cost };
          least[element] = reduced;
          best.set(element, cluster);
        }
      });
    });
    return [...best.values()];
  };

  dual(wanted: SearchDuals): PricedNode {
    const started = this.#work.done;
    const { blocks } = this.#list;
    this.#work.spend(clusterCount(blocks) * this.#elements * UNITS.pair);
    const priced = dualList(this.#grouping, this.#clusters, blocks, shortDuals(wanted));
    return {
      ...{ duals: priced.duals, bound: priced.bound, found: [], walking: this.#work.done - started },
      left: (claim) => listBelow(this.#grouping, priced, claim),
    };
  }
}
