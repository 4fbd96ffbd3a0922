import type { Rational } from "../../../../exact/rational.js";
import type { Grouping, SizeWindow } from "../../../../program/grouping/grouping.js";
import { betterPartition } from "../../../../proof/kernel/grouping/better-partition.js";
import {
  clusterCount,
  dualList,
  listBelow,
  type PricedBlock,
  type PricedList,
  splitList,
} from "../../../../proof/kernel/grouping/column-pool.js";
import type { ClusterDuals } from "../../../../proof/kernel/grouping/dual-values.js";
import type { ElementPair } from "../../../../proof/kernel/grouping/node.js";
import type { ListedTree } from "../../../../proof/kernel/grouping/pool-tree.js";
import { PricedClusters } from "../../../../proof/kernel/grouping/priced-clusters.js";
import type { Without } from "../../../../search/strategies.js";
import { UNITS, type Work } from "../../../../search/work.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import type { Cluster } from "../clusters.js";
import type { SearchDuals } from "../dual-values.js";
import { shortDuals } from "../exact-pricing.js";
import type { GroupingIncumbent } from "../incumbent.js";
import { ListColumns } from "./list-columns.js";
import { dualOnList } from "./pool-duals.js";

export interface ListTreeOptions {
  readonly window: SizeWindow;
  readonly incumbent: GroupingIncumbent;
  /** What the bound must reach for a value of the best labeling known. */
  readonly cutoffOf: (value: Rational) => Rational;
  /** Nothing is claimed above this, where it is below that value: the list was made for it. */
  readonly claim: Rational;
  /** Dual values and clusters to start with. */
  readonly start: SearchDuals;
  readonly clusters: readonly Cluster[];
  /** What going through partitions may look at before a node is split; see {@link LOOKS}. */
  readonly maxLooks?: number;
  readonly work: Work;
  /** Names of {@link POOL_PRICE_STRATEGIES} to leave out. */
  readonly without?: Without;
  /** Asked with the units of work that a checker takes for what there is. */
  readonly shouldStop: (checking: number) => boolean;
}

/** What is proved of the partitions of a list. */
export interface ListProof {
  /** No partition of the list is below it. */
  readonly claim: Rational;
  readonly tree: ListedTree;
  /** Units of work that a checker takes for the tree, about. */
  readonly checking: number;
}

interface ListNode {
  /** What is left of the list. */
  left: PricedList;
  readonly narrow: ClusterDuals[];
  /** Nothing in it is below this. */
  bound: Rational;
  readonly start: SearchDuals;
  readonly clusters: readonly Cluster[];
  /** All of it was gone through. */
  isClosed: boolean;
  split: { readonly pair: ElementPair; readonly children: readonly [ListNode, ListNode] } | null;
}

/**
 * Clusters that a node's partitions are looked for among before it is split, and what such a search may look at,
 * divided by the clusters that a partition has: where these are many, going through partitions leads nowhere.
 */
const MAX_CLUSTERS = 20_000;
const LOOKS = 480_000_000;

/** The same where a node cannot be split. */
const MANY_LOOKS = 1_000_000_000;

/** A list is narrowed again where this part of what was open is closed. */
const WORTHWHILE = 0.1;

/**
 * Proves that no partition of listed clusters is below a claim: branch and bound over pairs of elements (Ryan and
 * Foster 1981), in which dual values of elements and 3-subset rows are made for the clusters listed alone. The node of
 * which least is proved comes first, so that wherever it is stopped as much as possible is proved of all.
 */
export class ListTree {
  readonly #grouping: Grouping;
  readonly #numbers: DescentProblem;
  readonly #options: ListTreeOptions;
  readonly #clusters: PricedClusters;
  readonly #root: ListNode;
  #checking = 0;

  constructor(grouping: Grouping, numbers: DescentProblem, list: PricedList, options: ListTreeOptions) {
    this.#grouping = grouping;
    this.#numbers = numbers;
    this.#options = options;
    const { window, start, clusters } = options;
    this.#clusters = new PricedClusters(grouping, { window, together: [], apart: [] }, "bound");
    const bound = list.bound as Rational;
    this.#root = { left: list, narrow: [], bound, start, clusters, isClosed: false, split: null };
  }

  async run(): Promise<ListProof> {
    for (;;) {
      const leaf = this.#leastLeaf();
      if (leaf === null || leaf.bound.compare(this.#target) >= 0 || this.#isStopped) break;
      if (!(await this.#solve(leaf))) break;
    }
    const open = this.#leastLeaf();
    const claim = open === null || open.bound.compare(this.#claim) > 0 ? this.#claim : open.bound;
    return { claim, tree: treeOf(this.#root), checking: this.#checking };
  }

  /** What is claimed where all is proved. */
  get #claim(): Rational {
    const value = this.#options.incumbent.value as Rational;
    return value.compare(this.#options.claim) < 0 ? value : this.#options.claim;
  }

  get #target(): Rational {
    return this.#options.cutoffOf(this.#claim);
  }

  get #isStopped(): boolean {
    return this.#options.shouldStop(this.#checking);
  }

  readonly #isOver = (units = 0): boolean => {
    this.#options.work.spend(units);
    return this.#isStopped;
  };

  /** Counts a look at all clusters of a leaf, which the checker has at them too. */
  #check({ left }: ListNode): void {
    const units = clusterCount(left.blocks) * this.#numbers.elements * UNITS.pair;
    this.#options.work.spend(units);
    this.#checking += units;
  }

  #leastLeaf(): ListNode | null {
    let least: ListNode | null = null;
    const visit = (node: ListNode) => {
      if (node.split !== null) for (const child of node.split.children) visit(child);
      else if (!node.isClosed && (least === null || node.bound.compare(least.bound) < 0)) least = node;
    };
    visit(this.#root);
    return least;
  }

  /** Raises a leaf's bound, closes it or splits it; `false` where no more can be done with it. */
  async #solve(leaf: ListNode): Promise<boolean> {
    const { window, incumbent, without } = this.#options;
    let narrowed = leaf.bound.toNumber();
    const narrow = (duals: SearchDuals): void => {
      this.#narrow(leaf, shortDuals(duals));
      narrowed = Math.max(narrowed, leaf.bound.toNumber());
    };
    const { best, bound, isSolved, usage, pair, clusters } = await dualOnList(
      this.#numbers,
      new ListColumns(this.#numbers, leaf.left.blocks),
      {
        ...{ window, start: leaf.start, clusters: leaf.clusters, cutoff: this.#target.toNumber() },
        onSolved: (duals, solved) => {
          if (solved - narrowed < WORTHWHILE * (this.#target.toNumber() - narrowed)) return null;
          narrow(duals);
          return new ListColumns(this.#numbers, leaf.left.blocks);
        },
        shouldStop: this.#isOver,
        ...(without && { without }),
      },
    );
    if (bound > narrowed) narrow(best);
    if (leaf.isClosed || this.#goThrough(leaf, this.#options.maxLooks ?? LOOKS / this.#grouping.clusters)) return true;
    if (this.#isStopped) return true;
    if (pair === null) {
      // The bound is high enough, or the partition is whole: what the rounded dual values leave is next to nothing.
      if (isSolved && incumbent.offerClusters(usage.map(({ cluster }) => cluster.elements))) this.#listBelow(leaf);
      return this.#goThrough(leaf, MANY_LOOKS);
    }
    this.#split(leaf, pair, best, clusters);
    return true;
  }

  /** Goes through the partitions of what is left of a leaf; whether that closes it. */
  #goThrough(leaf: ListNode, maxLooks: number): boolean {
    while (!leaf.isClosed) {
      if (clusterCount(leaf.left.blocks) > MAX_CLUSTERS) return false;
      const { work } = this.#options;
      const started = work.done;
      const shouldStop = (nodes: number) => this.#isOver(nodes * UNITS.partition);
      const found = betterPartition(this.#grouping, leaf.left, this.#claim, { maxLooks, shouldStop });
      if (found.kind === "too-many") return false;
      if (found.kind === "none") {
        this.#checking += work.done - started;
        leaf.isClosed = true;
      } else {
        if (!this.#options.incumbent.offerClusters(found.clusters)) return false;
        this.#listBelow(leaf);
      }
    }
    return true;
  }

  /** Leaves out what is of no use any more, as the best value is lower now. */
  #listBelow(leaf: ListNode): void {
    leaf.left = listBelow(this.#grouping, leaf.left, this.#claim);
    leaf.isClosed = leaf.left.blocks.length === 0;
  }

  #narrow(leaf: ListNode, duals: ClusterDuals): void {
    this.#check(leaf);
    const priced = dualList(this.#grouping, this.#clusters, leaf.left.blocks, duals);
    leaf.narrow.push(duals);
    leaf.left = listBelow(this.#grouping, priced, this.#claim);
    if (priced.bound !== null && priced.bound.compare(leaf.bound) > 0) leaf.bound = priced.bound;
    leaf.isClosed = leaf.left.blocks.length === 0;
  }

  #split(leaf: ListNode, pair: ElementPair, start: SearchDuals, clusters: readonly Cluster[]): void {
    this.#check(leaf);
    const parts = splitList(leaf.left.blocks, pair);
    const child = (blocks: readonly PricedBlock[], isInside: (cluster: Cluster) => boolean): ListNode => ({
      left: { ...leaf.left, blocks },
      ...{ narrow: [], bound: leaf.bound, start, clusters: clusters.filter(isInside) },
      ...{ isClosed: blocks.length === 0, split: null },
    });
    const [i, j] = pair;
    leaf.split = {
      pair,
      children: [
        child(parts.together, ({ elements }) => elements.includes(i) === elements.includes(j)),
        child(parts.apart, ({ elements }) => !(elements.includes(i) && elements.includes(j))),
      ],
    };
    leaf.left = { ...leaf.left, blocks: [] };
  }
}

function treeOf({ narrow, split }: ListNode): ListedTree {
  if (split === null) return { narrow };
  const [together, apart] = split.children;
  return { narrow, split: { pair: split.pair, together: treeOf(together), apart: treeOf(apart) } };
}
