import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Cluster } from "./clusters.js";
import { type ElementSet, reducedCost, type SearchDuals, timesIn } from "./dual-values.js";
import { type PricedNode, type Pricing, searchDuals } from "./exact-pricing.js";
import { descendCluster } from "./local-pricing.js";
import { ClusterMaster, type ClusterUse, type MasterDuals } from "./master.js";

/** What column generation ends with. */
export interface Generated {
  /** The dual values that prove most; `null` when time was up before any proved anything. */
  readonly best: PricedNode | null;
  /** The fractional partition at the end, most used first. */
  readonly usage: readonly ClusterUse[];
  /** All clusters met. */
  readonly clusters: readonly Cluster[];
}

export interface GenerateOptions {
  /** Clusters of the node to start with. */
  readonly clusters: readonly Cluster[];
  /** Dual values that prove something where the master has no others. */
  readonly prices: Float64Array;
  /** Where the bound reaches this, there is nothing more to do. */
  readonly cutoff: number;
  /** 3-subset rows of elements taken into account in each round. */
  readonly subsetRows: number;
  readonly work: Work;
  /** Asked with the units of work that the walk in hand has taken. */
  readonly shouldStop: (walking: number) => boolean;
  /** Told of better bounds. */
  readonly onBound: (bound: number) => void;
}

/** Clusters, by element, that local search starts from where those in use lead to nothing new. */
const WIDE = 2;

/** Rounds of 3-subset rows. */
const ROUNDS = 5;

/** The bound and the master this near to one another, relatively, are equal. */
const PRECISION = 1e-10;

/**
 * Column generation for one node: dual values at which the bound of all its clusters is as high as a linear program
 * makes it. Local search finds clusters first, the walk through all clusters where that finds none.
 */
export async function generateDuals(
  numbers: DescentProblem,
  node: GroupingNode,
  pricing: Pricing,
  options: GenerateOptions,
): Promise<Generated> {
  return ClusterMaster.using(numbers, options.prices, (master) =>
    new Generation(numbers, node, pricing, options, master).run(),
  );
}

class Generation {
  readonly #numbers: DescentProblem;
  readonly #node: GroupingNode;
  readonly #pricing: Pricing;
  readonly #options: GenerateOptions;
  readonly #master: ClusterMaster;
  #best: PricedNode | null = null;
  #bound = Number.NEGATIVE_INFINITY;
  #bestDuals: SearchDuals;
  /** Rounds of 3-subset rows so far. */
  #rounds = 0;

  constructor(
    numbers: DescentProblem,
    node: GroupingNode,
    pricing: Pricing,
    options: GenerateOptions,
    master: ClusterMaster,
  ) {
    this.#numbers = numbers;
    this.#node = node;
    this.#pricing = pricing;
    this.#options = options;
    this.#master = master;
    master.addAll(options.clusters.filter((cluster) => this.#isAdmitted(cluster)));
    this.#bestDuals = { elements: options.prices, sets: [] };
  }

  run(): Generated {
    const { cutoff } = this.#options;
    const shouldStop = (units = 0) => {
      this.#options.work.spend(units);
      return this.#options.shouldStop(0);
    };
    while (!shouldStop()) {
      const master = this.#master.solve(shouldStop);
      if (master === null) {
        // HiGHS is at its wit's end: what these dual values prove has to do.
        this.#dualAt(this.#bestDuals);
        break;
      }
      if (this.#dualLocally(master)) continue;
      const isNew = this.#dualExactly(master);
      if (this.#bound >= cutoff) break;
      if (!isNew && !this.#addSubsetRows()) break;
    }
    return { best: this.#best, usage: this.#master.usage(), clusters: this.#master.clusters };
  }

  #isAdmitted({ elements }: Cluster): boolean {
    return this.#numbers.admits?.(elements) !== false;
  }

  /** Takes the 3-subset rows that the fractional partition violates into account; says whether there are any. */
  #addSubsetRows(): boolean {
    const { subsetRows: limit } = this.#options;
    if (limit === 0 || this.#best === null || this.#rounds++ >= ROUNDS) return false;
    const violated = violatedSubsetRows(this.#numbers.elements, this.#master.usage(), limit);
    return this.#master.addSubsetRows(violated);
  }

  /**
   * Looks through a list; or local search from the clusters in use, then from many more. Says whether the master has got
   * something new.
   */
  #dualLocally(duals: MasterDuals): boolean {
    if (this.#pricing.improving !== undefined) return this.#master.addAll(this.#pricing.improving(duals));
    if (this.#isBranched) return false;
    const add = (starts: readonly (readonly number[])[]): boolean => {
      let isNew = false;
      const { elements } = this.#numbers;
      for (const start of starts) {
        this.#options.work.spend(elements * start.length * UNITS.pair);
        const { cluster, reduced } = descendCluster(this.#numbers, this.#node.window, duals, start);
        if (reduced >= duals.cutoff || !this.#isAdmitted(cluster)) continue;
        if (this.#master.add(cluster)) isNew = true;
      }
      return isNew;
    };
    return add(this.#master.usage().map(({ cluster }) => cluster.elements)) || add(this.#wideStarts(duals));
  }

  /** The clusters of least reduced cost, and each element with those that go best with it. */
  #wideStarts(duals: SearchDuals): readonly (readonly number[])[] {
    const { elements, pairs, share } = this.#numbers;
    const { least, most } = this.#node.window;
    const ranked = this.#master.clusters
      .map((cluster) => ({ cluster, reduced: reducedCost(cluster, duals) }))
      .sort((a, b) => a.reduced - b.reduced)
      .slice(0, WIDE * elements)
      .map(({ cluster }) => cluster.elements);
    if (this.#numbers.load !== null) return ranked;
    const size = (least + most) >> 1;
    const around = Array.from({ length: elements }, (_, element) => {
      const worth = (other: number) =>
        (share[size] as number) * (pairs[element * elements + other] as number) * size -
        (duals.elements[other] as number);
      const others = Array.from({ length: elements }, (_, other) => other).filter((other) => other !== element);
      return [element, ...others.sort((a, b) => worth(a) - worth(b)).slice(0, size - 1)];
    });
    return [...ranked, ...around];
  }

  /** Local search knows nothing of elements that must be together; those apart have pairs that keep them so. */
  get #isBranched(): boolean {
    return this.#node.together.length > 0;
  }

  /** The walk through all clusters at the master's dual values. Says whether the master has got something new. */
  #dualExactly(master: MasterDuals): boolean {
    const priced = this.#dualAt(master);
    if (priced === null || this.#best === null) return false;
    if (this.#bound >= master.value - PRECISION * Math.abs(master.value)) return false;
    return this.#master.addAll(priced.found.filter((cluster) => reducedCost(cluster, master) < master.cutoff));
  }

  /** Goes through all clusters at some dual values; `null` when time was up. */
  #dualAt(duals: SearchDuals): PricedNode | null {
    const known = this.#knownClusters(duals);
    const { work } = this.#options;
    const started = work.done;
    const shouldStop = (nodes: number) => {
      work.spend(nodes * UNITS.set);
      return this.#options.shouldStop(work.done - started);
    };
    const priced = this.#pricing.dual(duals, known, { work, shouldStop });
    if (priced === null) return null;
    const bound = priced.bound?.toNumber() ?? Number.POSITIVE_INFINITY;
    if (bound <= this.#bound) return priced;
    [this.#best, this.#bound] = [priced, bound];
    this.#bestDuals = searchDuals(priced.duals);
    this.#options.onBound(bound);
    return priced;
  }

  /** Good clusters under dual values, to start the walk from. */
  #knownClusters(duals: SearchDuals): readonly Cluster[] {
    const used = this.#master.usage().map(({ cluster }) => cluster);
    if (this.#isBranched || this.#pricing.improving !== undefined) return used;
    return used.map((cluster) => descendCluster(this.#numbers, this.#node.window, duals, cluster.elements).cluster);
  }
}

/** A row counts as violated by more than this. */
const TOLERANCE = 1e-3;

/**
 * The 3-subset rows C that a fractional partition violates, Σ_S [|S ∩ C| ≥ 2]·x_S > 1, the most violated first, at most
 * `limit` of them. With m_ij the share of two elements together, the sum is m_ab + m_ac + m_bc less twice the share of
 * all three.
 */
export function violatedSubsetRows(
  elements: number,
  usage: readonly ClusterUse[],
  limit: number,
): readonly ElementSet[] {
  const together = new Float64Array(elements * elements);
  for (const { cluster, times } of usage) {
    for (const i of cluster.elements) {
      for (const j of cluster.elements) together[i * elements + j] = (together[i * elements + j] as number) + times;
    }
  }
  const share = (i: number, j: number) => together[i * elements + j] as number;
  const found: { readonly row: ElementSet; readonly excess: number }[] = [];
  for (let a = 0; a < elements; a++) {
    for (let b = a + 1; b < elements; b++) {
      for (let c = b + 1; c < elements; c++) {
        if (share(a, b) + share(a, c) + share(b, c) <= 1 + TOLERANCE) continue;
        const row: ElementSet = { elements: [a, b, c], divisor: 2 };
        const sum = usage.reduce((s, { cluster, times }) => s + times * timesIn(row, cluster.elements), 0);
        if (sum > 1 + TOLERANCE) found.push({ row, excess: sum - 1 });
      }
    }
  }
  return found
    .sort((a, b) => b.excess - a.excess)
    .slice(0, limit)
    .map(({ row }) => row);
}
