import { type ShouldStop, UNITS } from "../../../search/work.js";
import { type GrowingLp, meanSize, openGrowingLp, type SparseEntries } from "../../../solvers/growing-lp.js";
import { nothingOf } from "../../../solvers/solver-error.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Cluster } from "./clusters.js";
import { type ElementSet, type SearchSet, timesIn } from "./dual-values.js";

/** How much the master uses a cluster. */
export interface ClusterUse {
  readonly cluster: Cluster;
  readonly times: number;
}

/** Dual values of the restricted master. */
export interface MasterDuals {
  /** What having each element in a cluster is worth. */
  readonly elements: Float64Array;
  /** What a cluster pays for what it shares with sets of elements, for those that pay. */
  readonly sets: readonly SearchSet[];
  /** What one more cluster is worth, whatever its size. */
  readonly cluster: number;
  /** Clusters of a reduced cost below this improve the master. */
  readonly cutoff: number;
  /** The cost of the fractional partition, and what leaving the box of dual values cost. */
  readonly value: number;
  /** No price is kept from where it wants to go: the value is that of the clusters known so far. */
  readonly isFree: boolean;
}

const NONE = Number.POSITIVE_INFINITY;

/** As a part of the mean price: what counts as an improvement is no less. */
const TOLERANCE = 1e-9;

/** The radius, in mean dual values, of a box that leaves dual values free. */
const WIDEST = 1e5;

/** Iterations that tell what the partition costs without some clusters. */
const MOST_ITERATIONS = 1000;

/**
 * The restricted master of column generation: with the clusters known so far, the cheapest fractional partition,
 *
 *   min Σ_S cost(S)·x_S   subject to   Σ_{S ∋ i} x_S = 1 for every element i,   Σ_S x_S = T,   x ≥ 0,
 *
 * and, for the sets C added, Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋ (see src/proof/kernel/grouping/dual-values.ts) with dual
 * values μ_C ≥ 0. Dual values π_i and σ are kept in a box (BoxStep: Marsten, Hogan and Blankenship, Operations Research
 * 23, 1975): columns that cover an element alone at the box's upper side, or take it away at its lower side. A cluster
 * with cost(S) < Σ_{i in S} π_i − Σ_C μ_C·⌊|S ∩ C| / d⌋ + σ improves it. Where HiGHS dies it has no more solutions.
 */
export class ClusterMaster {
  readonly #elements: number;
  readonly #count: number;
  /** The mean price: tolerances are absolute. */
  readonly #scale: number;
  /** What dual values are kept near, and how near at first and now. */
  #center: Pick<MasterDuals, "elements" | "cluster">;
  readonly #firstRadius: number;
  #radius: number;
  /** `null`: HiGHS has died. */
  #lp: GrowingLp | null;
  readonly #clusters: { readonly cluster: Cluster; readonly column: number }[] = [];
  readonly #known = new Set<string>();
  /** By element: which clusters have it. */
  readonly #having: number[][];
  /** Those of the rows behind elements and clusters. */
  #cuts: readonly ElementSet[] = [];
  /** The columns' values at the last solution. */
  #values: ArrayLike<number> = [];
  /** No column and no row have come since. */
  #isSolved = false;

  private constructor(
    { elements, clusters }: DescentProblem,
    center: Float64Array,
    radius: number,
    lp: GrowingLp | null,
  ) {
    [this.#elements, this.#count, this.#scale, this.#lp] = [elements, clusters, meanSize(center), lp];
    this.#center = { elements: center, cluster: 0 };
    this.#firstRadius = radius * this.#scale;
    this.#radius = this.#firstRadius;
    this.#having = Array.from({ length: elements }, () => []);
    this.#ask((own) => {
      for (const value of [1, -1]) {
        for (let r = 0; r <= elements; r++) own.addColumn(0, 0, NONE, { indices: [r], values: [value] });
      }
    });
  }

  /**
   * Works with a master and lets go of it. `center`: dual values to start around; `radius`: of the first box, as a part
   * of the mean price.
   */
  static async using<Result>(
    numbers: DescentProblem,
    { center, radius }: { readonly center: Float64Array; readonly radius: number },
    work: (master: ClusterMaster) => Result,
  ): Promise<Result> {
    const sides = [...new Array<number>(numbers.elements).fill(1), numbers.clusters];
    const lp = openGrowingLp(
      sides.map((side) => [side, side]),
      TOLERANCE,
    );
    const master = new ClusterMaster(numbers, center, radius, await lp.catch(nothingOf));
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

  /** Keeps dual values in a box of the first radius. */
  narrow(): void {
    this.#keepWithin(this.#firstRadius);
  }

  /** Keeps them in a box of twice the radius; `false` where they are free already. */
  widen(): boolean {
    if (this.isWidest) return false;
    this.#keepWithin(2 * this.#radius);
    return true;
  }

  get isWidest(): boolean {
    return this.#radius >= WIDEST * this.#scale;
  }

  /** The next box is around these. */
  recentre({ elements, cluster }: MasterDuals): void {
    this.#center = { elements, cluster };
  }

  #keepWithin(radius: number): void {
    this.#radius = radius;
    const prices = [...this.#center.elements, this.#center.cluster];
    this.#ask((lp) => {
      prices.forEach((price, r) => {
        const reach = r < this.#elements ? radius : (radius * this.#elements) / this.#count;
        lp.setCost(r, (price + reach) / this.#scale);
        lp.setCost(prices.length + r, (reach - price) / this.#scale);
      });
    });
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
    for (const element of cluster.elements) (this.#having[element] as number[]).push(this.#clusters.length);
    const rows = [...cluster.elements, this.#elements];
    const values = new Array<number>(rows.length).fill(1);
    this.#cuts.forEach((cut, c) => {
      const times = timesIn(cut, cluster.elements);
      if (times === 0) return;
      rows.push(this.#elements + 1 + c);
      values.push(times);
    });
    const column = this.#ask((lp) => lp.addColumn(cluster.cost / this.#scale, 0, NONE, { indices: rows, values }));
    this.#clusters.push({ cluster, column: column ?? -1 });
    this.#isSolved = false;
    return true;
  }

  /** Takes those not there yet; lets go of cuts without a price at the last solution. Says whether any were new. */
  addCuts(cuts: readonly ElementSet[]): boolean {
    const known = new Set(this.#cuts.map(keyOf));
    const added = cuts.filter((cut) => !known.has(keyOf(cut)));
    if (added.length === 0) return false;
    const first = this.#elements + 1;
    this.#ask((lp) => {
      const loose = lp.dropLooseRows(first);
      this.#cuts = [...this.#cuts.filter((_, c) => !loose.has(first + c)), ...added];
      for (const cut of added) lp.addRow(-NONE, Math.floor(cut.elements.length / cut.divisor), this.#rowOf(cut));
    });
    this.#isSolved = false;
    return true;
  }

  #rowOf({ elements, divisor }: ElementSet): SparseEntries {
    const counts = new Map<number, number>();
    for (const element of elements) {
      for (const g of this.#having[element] as number[]) counts.set(g, (counts.get(g) ?? 0) + 1);
    }
    const sharing = [...counts].filter(([, count]) => count >= divisor).sort(([a], [b]) => a - b);
    return {
      indices: sharing.map(([g]) => (this.#clusters[g] as { readonly column: number }).column),
      values: sharing.map(([, count]) => Math.floor(count / divisor)),
    };
  }

  /** `null` when HiGHS gave up. */
  solve(shouldStop: ShouldStop): MasterDuals | null {
    const answer = this.#ask((lp) => {
      const units = unitsOfIteration(lp);
      if (!Number.isFinite(lp.solve(() => shouldStop(units)) ?? NONE)) return null;
      lp.keepBasis();
      return lp.answer();
    });
    this.#isSolved = answer !== null;
    if (answer === null) return null;
    const { objective, columns, duals } = answer;
    this.#values = columns;
    const price = (row: number) => this.#scale * (duals[row] as number);
    const away = columns.subarray(0, 2 * (this.#elements + 1)).reduce((sum, value) => sum + value, 0);
    return {
      elements: Float64Array.from({ length: this.#elements }, (_, i) => price(i)),
      sets: this.#cuts.flatMap((cut, c): SearchSet[] => {
        const dual = -price(this.#elements + 1 + c);
        return dual > 0 ? [{ ...cut, dual }] : [];
      }),
      cluster: price(this.#elements),
      cutoff: price(this.#elements) - TOLERANCE * this.#scale,
      value: this.#scale * objective,
      isFree: away < 1e-7,
    };
  }

  /**
   * What the fractional partition of the last solution costs at least where some of its clusters may not be used; not a
   * number where there is no such solution, or HiGHS gave up.
   */
  valueWithout(isLeftOut: (cluster: Cluster) => boolean, shouldStop: ShouldStop): number {
    const out = this.#clusters.filter(({ cluster }) => isLeftOut(cluster)).map(({ column }) => column);
    const value = this.#ask((lp) => {
      if (!this.#isSolved) return null;
      for (const column of out) lp.setBounds(column, 0, 0);
      const value = lp.probe(MOST_ITERATIONS, Number.MAX_VALUE);
      shouldStop(unitsOfIteration(lp) * lp.iterations);
      for (const column of out) lp.setBounds(column, 0, NONE);
      lp.restoreBasis();
      return value;
    });
    return value === null ? Number.NaN : this.#scale * value;
  }

  /** The clusters in use at the last solution, most used first. */
  usage(): readonly ClusterUse[] {
    return this.#clusters
      .map(({ cluster, column }): ClusterUse => ({ cluster, times: this.#values[column] ?? 0 }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}

function unitsOfIteration({ rowCount, columnCount }: GrowingLp): number {
  return UNITS.pivot * (rowCount + columnCount);
}

function keyOf({ elements, divisor }: ElementSet): string {
  return `${divisor}:${elements.join()}`;
}
