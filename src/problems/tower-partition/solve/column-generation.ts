import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { UNITS, type Work } from "../../../search/work.js";
import { meanSize } from "../../../solvers/growing-lp.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { ClusterUse } from "./cluster-use.js";
import type { Cluster } from "./clusters.js";
import { reducedCost, type SearchDuals } from "./dual-values.js";
import { type ExactPricing, type PricedNode, searchDuals } from "./exact-pricing.js";
import { descendCluster } from "./local-pricing.js";
import { ClusterMaster, type MasterDuals } from "./master.js";
import { violatedSubsetRows } from "./subset-row-cuts.js";

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
  /** Dual values to start around. */
  readonly center: Float64Array;
  /** Where the bound reaches this, there is nothing more to do. */
  readonly cutoff: number;
  /** 3-subset rows of elements taken into account in each round; none where left out. */
  readonly subsetRows?: number;
  readonly work: Work;
  /** Asked with the units of work that the walk in hand has taken. */
  readonly shouldStop: (walking: number) => boolean;
  /** Told of better bounds. */
  readonly onBound?: (bound: number) => void;
}

/** The radius of the first box, as a part of the mean price. */
const FIRST_RADIUS = 0.3;

/** The radius, in mean dual values, of a box that leaves dual values free. */
const WIDEST = 1e5;

/** Clusters, by element, that local search starts from where those in use lead to nothing new. */
const WIDE = 2;

/** A reduced cost counts as negative below this part of the mean price. */
const TOLERANCE = 1e-9;

/** Rounds of 3-subset rows end when so many have closed less than this part of what is open. */
const STALE = 6;
const MIN_RISE = 0.01;

/** The bound and the master this near to one another, relatively, are equal. */
const PRECISION = 1e-10;

/**
 * Column generation for one node: dual values at which the bound of all its clusters is as high as a linear program
 * makes it. Dual values begin at the marginal costs of the best partition known and stay in a box around the best ones
 * so far; local search finds clusters first, the walk through all clusters where that finds none.
 */
export async function generateDuals(
  numbers: DescentProblem,
  node: GroupingNode,
  pricing: ExactPricing,
  options: GenerateOptions,
): Promise<Generated> {
  const { center } = options;
  const mean = meanSize(center);
  const master = await ClusterMaster.open(numbers, mean);
  try {
    return new Generation(numbers, node, pricing, options, master, mean).run();
  } finally {
    master.dispose();
  }
}

class Generation {
  readonly #numbers: DescentProblem;
  readonly #node: GroupingNode;
  readonly #pricing: ExactPricing;
  readonly #options: GenerateOptions;
  readonly #master: ClusterMaster;
  readonly #mean: number;
  #center: { elements: Float64Array; cluster: number };
  #radius: number;
  #best: PricedNode | null = null;
  #bestDuals: SearchDuals;
  /** Rounds of 3-subset rows that have raised the bound by next to nothing, and the bound before them. */
  #stale = 0;
  #before = Number.NEGATIVE_INFINITY;

  constructor(
    numbers: DescentProblem,
    node: GroupingNode,
    pricing: ExactPricing,
    options: GenerateOptions,
    master: ClusterMaster,
    mean: number,
  ) {
    this.#numbers = numbers;
    this.#node = node;
    this.#pricing = pricing;
    this.#options = options;
    this.#master = master;
    for (const cluster of options.clusters) if (this.#isAdmitted(cluster)) this.#master.add(cluster);
    const elements = options.center;
    this.#center = { elements, cluster: 0 };
    this.#bestDuals = { elements, subsetRows: [] };
    this.#mean = mean;
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
        // No dual values in the box suit all clusters known: a wider one.
        if (!shouldStop() && this.#radius < WIDEST * this.#mean) {
          this.#widen();
          continue;
        }
        // HiGHS is at its wit's end: what these dual values prove has to do.
        this.#dualAt(this.#bestDuals);
        break;
      }
      if (this.#dualLocally(master)) continue;
      this.#center = { elements: master.elements, cluster: master.cluster };
      const isWidest = this.#radius >= WIDEST * this.#mean;
      // Local search is done with this box: on to the next, without the cost of being sure.
      if (master.isFree || isWidest || this.#isBranched) {
        const isNew = this.#dualExactly(master);
        if (this.#best !== null && this.#best.bound >= cutoff) break;
        if (isNew) continue;
        if (master.isFree || isWidest) {
          if (this.#addSubsetRows()) continue;
          break;
        }
      }
      this.#widen();
    }
    return { best: this.#best, usage: this.#master.usage(), clusters: this.#master.clusters };
  }

  #isAdmitted({ elements }: Cluster): boolean {
    return this.#numbers.admits?.(elements) !== false;
  }

  #focus(): void {
    this.#master.focus(this.#center, this.#radius, (this.#radius * this.#numbers.elements) / this.#numbers.clusters);
  }

  #widen(): void {
    this.#radius *= 2;
    this.#focus();
  }

  /** Takes the 3-subset rows that the fractional partition violates into account; says whether there are any. */
  #addSubsetRows(): boolean {
    const { subsetRows: limit = 0, cutoff } = this.#options;
    if (limit === 0 || this.#best === null) return false;
    const isRise = this.#best.bound - this.#before > MIN_RISE * (cutoff - this.#before);
    this.#stale = isRise ? 0 : this.#stale + 1;
    if (isRise) this.#before = this.#best.bound;
    if (this.#stale >= STALE) return false;
    const violated = violatedSubsetRows(this.#numbers.elements, this.#master.usage(), limit);
    if (!this.#master.addSubsetRows(violated)) return false;
    this.#radius = FIRST_RADIUS * this.#mean;
    this.#focus();
    return true;
  }

  /** Local search from the clusters in use, then from many more; says whether the master has got something new. */
  #dualLocally(duals: MasterDuals): boolean {
    if (this.#isBranched) return false;
    const add = (starts: readonly (readonly number[])[]): boolean => {
      let isNew = false;
      const { elements } = this.#numbers;
      for (const start of starts) {
        this.#options.work.spend(elements * start.length * UNITS.pair);
        const { cluster, reduced } = descendCluster(this.#numbers, this.#node.window, duals, start);
        if (reduced >= duals.cluster - TOLERANCE * this.#mean || !this.#isAdmitted(cluster)) continue;
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
    if (this.#best.bound >= master.value - PRECISION * Math.abs(master.value)) return false;
    let isNew = false;
    for (const cluster of priced.found) {
      if (reducedCost(cluster, master) >= master.cluster - TOLERANCE * this.#mean) continue;
      if (this.#master.add(cluster)) isNew = true;
    }
    return isNew;
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
    if (priced === null || (this.#best !== null && priced.bound <= this.#best.bound)) return priced;
    this.#best = priced;
    this.#bestDuals = searchDuals(priced.duals);
    this.#options.onBound?.(priced.bound);
    return priced;
  }

  /** Good clusters under dual values, to start the walk from. */
  #knownClusters(duals: SearchDuals): readonly Cluster[] {
    const used = this.#master.usage().map(({ cluster }) => cluster);
    if (this.#isBranched) return used;
    return used.map((cluster) => descendCluster(this.#numbers, this.#node.window, duals, cluster.elements).cluster);
  }
}
