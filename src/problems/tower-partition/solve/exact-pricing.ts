import { LEAST_EXPONENT, Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { clustersLeft, MAX_LISTED } from "../../../proof/kernel/grouping/bound.js";
import type { PricedList } from "../../../proof/kernel/grouping/column-pool.js";
import { type ClusterDuals, worthOf } from "../../../proof/kernel/grouping/dual-values.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import { PricedClusters, type PricedSize } from "../../../proof/kernel/grouping/priced-clusters.js";
import type { WalkLimits } from "../../../proof/kernel/grouping/priced-units.js";
import { clustersBelow } from "../../../proof/kernel/grouping/pricing.js";
import { leastSums, sizesWithin } from "../../../proof/kernel/grouping/size-vectors.js";
import type { TooMany } from "../../../proof/kernel/grouping/too-many.js";
import { UNITS, type Work } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import { type Cluster, clusterOf } from "./clusters.js";
import { reducedCost, type SearchDuals } from "./dual-values.js";
import type { MasterDuals } from "./master.js";

/** What going through all clusters under dual values says. */
export interface PricedNode {
  readonly duals: ClusterDuals;
  /** No labeling of the node has a value below this; `null` where it has no labeling. */
  readonly bound: Rational | null;
  /** The clusters that a labeling whose value is below the claim can have. */
  readonly left: (claim: Rational, limits: WalkLimits) => PricedList | TooMany;
  /** Clusters of little reduced cost. */
  readonly found: readonly Cluster[];
  /** Units of work that it took. */
  readonly walking: number;
}

/** What ends a walk through clusters, and where its work is counted. */
export interface PricingLimits extends WalkLimits {
  readonly work: Work;
}

/** What prices the clusters of a node. */
export interface Pricing {
  /** Clusters that improve the master, where those are found without a walk; left out where local search finds them. */
  readonly improving?: (duals: MasterDuals) => readonly Cluster[];
  /** The bound of dual values. `known`: clusters of the node, to begin with. `null` when a limit ended it. */
  dual(wanted: SearchDuals, known: readonly Cluster[], limits: PricingLimits): PricedNode | null;
}

/** Clusters listed, times their size, at most: memory. */
const MAX_ELEMENTS = 10_000_000;

/** How many clusters of each size are kept, the last ones found: each is better than those before. */
const KEPT = 24;

/** Binary digits of dual values behind those of their mean. */
const DUAL_BITS = 36;

/** The clusters of one node, priced again and again. */
export class ExactPricing implements Pricing {
  readonly #grouping: Grouping;
  readonly #numbers: DescentProblem;
  readonly #clusters: PricedClusters;
  readonly #sizes: readonly number[];

  constructor(grouping: Grouping, numbers: DescentProblem, node: GroupingNode) {
    this.#grouping = grouping;
    this.#numbers = numbers;
    this.#clusters = new PricedClusters(grouping, node, "bound");
    this.#sizes = this.#clusters.isEmpty ? [] : sizesWithin(grouping, node.window);
  }

  /**
   * Finds, for each size, the cluster of least reduced cost. `known`: clusters of the node, from which the search
   * starts.
   * `null` when a limit ended it.
   */
  dual(wanted: SearchDuals, known: readonly Cluster[], { work, ...limits }: PricingLimits): PricedNode | null {
    const started = work.done;
    const duals = shortDuals(wanted);
    const doubles = searchDuals(duals);
    const starts = new Map<number, number>();
    for (const cluster of known) {
      const size = cluster.elements.length;
      starts.set(size, Math.min(starts.get(size) ?? Number.POSITIVE_INFINITY, reducedCost(cluster, doubles)));
    }
    const sizes = new Map<number, { priced: PricedSize; least: Rational | null }>();
    const found: Cluster[] = [];
    for (const size of this.#sizes) {
      work.spend(this.#numbers.elements ** 2 * UNITS.pair);
      const priced = this.#clusters.ofSize(size, duals);
      const least = this.#least(priced, starts.get(size), limits, found);
      if (least === undefined) return null;
      sizes.set(size, { priced, least });
    }
    const { least } = leastSums(this.#grouping, new Map([...sizes].map(([size, { least }]) => [size, least])));
    const bound = least === null ? null : worthOf(duals).add(least);
    const most = Math.min(MAX_LISTED, MAX_ELEMENTS / Math.max(...this.#sizes));
    const left = (claim: Rational, limits: WalkLimits) =>
      clustersLeft(this.#grouping, { duals, bound, sizes }, claim, limits, most);
    return { duals, bound, left, found, walking: work.done - started };
  }

  /**
   * The least reduced cost of one size, `null` where there is no cluster, `undefined` when a limit ended the search.
   */
  #least(
    priced: PricedSize,
    start: number | undefined,
    limits: WalkLimits,
    found: Cluster[],
  ): Rational | null | undefined {
    const kept: number[][] = [];
    let least = Number.POSITIVE_INFINITY;
    const search = (cutoff: number) =>
      clustersBelow(
        priced.units,
        cutoff,
        (units, count, sum) => {
          least = sum;
          kept.push(priced.elementsOf(units, count));
          return sum;
        },
        limits,
      );
    // Just above what is known: that is found again, with its exact sum.
    const above = start === undefined ? null : Rational.fromNumber(start + 1e-9 * (1 + Math.abs(start)));
    if (above !== null && !search(priced.cutoffOf(above))) return undefined;
    if (least === Number.POSITIVE_INFINITY && !search(Number.POSITIVE_INFINITY)) return undefined;
    for (const elements of kept.slice(-KEPT)) found.push(clusterOf(this.#numbers, elements));
    return least === Number.POSITIVE_INFINITY ? null : priced.reducedOf(least);
  }
}

/** Dual values with few digits, so that certificates are short. */
export function shortDuals({ elements, sets }: SearchDuals): ClusterDuals {
  const mean = elements.reduce((sum, dual) => sum + Math.abs(dual), 0) / Math.max(1, elements.length);
  const unit = mean > 0 ? 2 ** Math.max(LEAST_EXPONENT, Math.ceil(Math.log2(mean)) - DUAL_BITS) : 1;
  const short = (dual: number) => Rational.fromNumber(Math.round(dual / unit) * unit);
  return {
    elements: Array.from(elements, short),
    sets: sets.map((set) => ({ ...set, dual: short(set.dual) })).filter(({ dual }) => dual.sign() > 0),
  };
}

/** The same as doubles, which they are. */
export function searchDuals({ elements, sets }: ClusterDuals): SearchDuals {
  return {
    elements: Float64Array.from(elements, (dual) => dual.toNumber()),
    sets: sets.map((set) => ({ ...set, dual: set.dual.toNumber() })),
  };
}
