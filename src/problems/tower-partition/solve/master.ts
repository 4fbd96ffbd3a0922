import { type ShouldStop, UNITS } from "../../../search/work.js";
import { type GrowingLp, meanSize, openGrowingLp, type SparseEntries } from "../../../solvers/growing-lp.js";
import { nothingOf } from "../../../solvers/solver-error.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Cluster } from "./clusters.js";
import { type ElementSet, type SearchDuals, timesIn } from "./dual-values.js";

/** How much the master uses a cluster. */
export interface ClusterUse {
  readonly cluster: Cluster;
  readonly times: number;
}

/** Dual values of the restricted master: 3-subset rows are those that have a price. */
export interface MasterDuals extends SearchDuals {
  /** What one more cluster is worth, whatever its size. */
  readonly cluster: number;
  /** Clusters of a reduced cost below this improve the master. */
  readonly cutoff: number;
  /** The cost of the fractional partition; where the clusters known make none, more than any costs. */
  readonly value: number;
}

const NONE = Number.POSITIVE_INFINITY;

/** As a part of the mean price: what counts as an improvement is no less. */
const TOLERANCE = 1e-9;

/** What an element costs that no cluster covers, in mean prices. */
const UNCOVERED = 1e5;

/**
 * The restricted master of column generation: with the clusters known so far, the cheapest fractional partition,
 *
 *   min Σ_S cost(S)·x_S   subject to   Σ_{S ∋ i} x_S = 1 for every element i,   Σ_S x_S = T,   x ≥ 0,
 *
 * and, for the triples C added, Σ_S [|S ∩ C| ≥ 2]·x_S ≤ 1 (see src/proof/kernel/grouping/dual-values.ts) with dual
 * values μ_C ≥ 0. Elements, and the number of clusters, may be covered by nothing but a high cost. A cluster with
 * cost(S) < Σ_{i in S} π_i − Σ_C μ_C·[|S ∩ C| ≥ 2] + σ improves it. Where HiGHS dies it has no more solutions.
 */
export class ClusterMaster {
  readonly #elements: number;
  /** The mean price: tolerances are absolute. */
  readonly #scale: number;
  /** `null`: HiGHS has died. */
  #lp: GrowingLp | null;
  readonly #clusters: { readonly cluster: Cluster; readonly column: number }[] = [];
  readonly #known = new Set<string>();
  /** Those behind the rows of the elements and of the clusters. */
  #subsetRows: readonly ElementSet[] = [];
  /** The columns' values at the last solution. */
  #values: ArrayLike<number> = [];

  private constructor(elements: number, scale: number, lp: GrowingLp | null) {
    [this.#elements, this.#scale, this.#lp] = [elements, scale, lp];
    this.#ask((own) => {
      for (let r = 0; r <= elements; r++) own.addColumn(UNCOVERED, 0, NONE, onesAt([r]));
    });
  }

  /** Works with a master and lets go of it. `prices`: about what elements are worth. */
  static async using<Result>(
    { elements, clusters }: DescentProblem,
    prices: Float64Array,
    work: (master: ClusterMaster) => Result,
  ): Promise<Result> {
    const sides = [...new Array<number>(elements).fill(1), clusters];
    const lp = openGrowingLp(
      sides.map((side) => [side, side]),
      TOLERANCE,
    );
    const master = new ClusterMaster(elements, meanSize(prices), await lp.catch(nothingOf));
    try {
      return work(master);
    } finally {
      master.#lp?.dispose();
    }
  }

  #ask<T>(work: (lp: GrowingLp) => T): T | null {
    if (this.#lp === null) return null;
    try {
      return work(this.#lp);
    } catch (error) {
      this.#lp?.dispose();
      this.#lp = nothingOf(error);
      return null;
    }
  }

  /** All clusters taken. */
  get clusters(): readonly Cluster[] {
    return this.#clusters.map(({ cluster }) => cluster);
  }

  /** Takes clusters; says whether one of them was new. */
  addAll(clusters: readonly Cluster[]): boolean {
    return clusters.filter((cluster) => this.add(cluster)).length > 0;
  }

  /** Takes a cluster; says whether it was new. */
  add(cluster: Cluster): boolean {
    const key = cluster.elements.join();
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    const rows = [...cluster.elements, this.#elements];
    this.#subsetRows.forEach((subsetRow, r) => {
      if (timesIn(subsetRow, cluster.elements) > 0) rows.push(this.#elements + 1 + r);
    });
    const column = this.#ask((lp) => lp.addColumn(cluster.cost / this.#scale, 0, NONE, onesAt(rows)));
    this.#clusters.push({ cluster, column: column ?? -1 });
    return true;
  }

  /** Takes those not there yet; lets go of rows without a price at the last solution. Says whether any were new. */
  addSubsetRows(subsetRows: readonly ElementSet[]): boolean {
    const known = new Set(this.#subsetRows.map(({ elements }) => String(elements)));
    const added = subsetRows.filter(({ elements }) => !known.has(String(elements)));
    if (added.length === 0) return false;
    const first = this.#elements + 1;
    this.#ask((lp) => {
      const loose = lp.dropLooseRows(first);
      this.#subsetRows = [...this.#subsetRows.filter((_, r) => !loose.has(first + r)), ...added];
      for (const subsetRow of added) {
        const having = this.#clusters.filter(({ cluster }) => timesIn(subsetRow, cluster.elements) > 0);
        lp.addRow(-NONE, 1, onesAt(having.map(({ column }) => column)));
      }
    });
    return true;
  }

  /** `null` when HiGHS gave up. */
  solve(shouldStop: ShouldStop): MasterDuals | null {
    const answer = this.#ask((lp) => {
      const units = UNITS.pivot * (lp.rowCount + lp.columnCount);
      return Number.isFinite(lp.solve(() => shouldStop(units)) ?? NONE) ? lp.answer() : null;
    });
    if (answer === null) return null;
    const { objective, columns, duals } = answer;
    this.#values = columns;
    const price = (row: number) => this.#scale * (duals[row] as number);
    return {
      elements: Float64Array.from({ length: this.#elements }, (_, i) => price(i)),
      sets: this.#subsetRows
        .map((set, r) => ({ ...set, dual: -price(this.#elements + 1 + r) }))
        .filter(({ dual }) => dual > 0),
      cluster: price(this.#elements),
      cutoff: price(this.#elements) - TOLERANCE * this.#scale,
      value: this.#scale * objective,
    };
  }

  /** The clusters in use at the last solution, most used first. */
  usage(): readonly ClusterUse[] {
    return this.#clusters
      .map(({ cluster, column }): ClusterUse => ({ cluster, times: this.#values[column] ?? 0 }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}

function onesAt(indices: readonly number[]): SparseEntries {
  return { indices, values: new Array<number>(indices.length).fill(1) };
}
