import type { PricedSet } from "../../../proof/kernel/grouping/chvatal-gomory-cuts.js";
import { Simplex, type SimplexRow } from "../../../search/simplex/simplex.js";
import type { ShouldStop } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { ClusterUse } from "./cluster-use.js";
import type { Cluster } from "./clusters.js";
import type { SearchSubsetRow } from "./dual-values.js";
import type { SubsetRow } from "./subset-row-cuts.js";

/** Dual values of the restricted master. */
export interface MasterDuals {
  /** What having each element in a cluster is worth. */
  readonly elements: Float64Array;
  /** What a cluster pays that has two or all of three elements, for the 3-subset rows that pay. */
  readonly subsetRows: readonly SearchSubsetRow[];
  /** What a cluster pays for what it shares with other sets of elements. */
  readonly sets: readonly PricedSet[];
  /** What one more cluster is worth, whatever its size. */
  readonly cluster: number;
  /** The cost of the fractional partition, and what leaving the box of dual values cost. */
  readonly value: number;
  /** No price is kept from where it wants to go: the value is that of the clusters known so far. */
  readonly isFree: boolean;
}

/** A set of elements and a divisor, less than how many they are: what a cut is of. */
export type ElementSet = Pick<PricedSet, "elements" | "divisor">;

/**
 * The restricted master of column generation: with the clusters known so far, the cheapest fractional partition,
 *
 *   min Σ_S cost(S)·x_S   subject to   Σ_{S ∋ i} x_S = 1 for every element i,   Σ_S x_S = T,   x ≥ 0,
 *
 * and, for the sets C added, Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋ (see src/proof/kernel/grouping/dual-values.ts) with dual
 * values μ_C ≥ 0. Dual values π_i and σ are kept in a box (BoxStep: Marsten, Hogan and Blankenship, Operations Research
 * 23, 1975): columns that cover an element alone at the box's upper side, or take it away at its lower side. A cluster
 * with cost(S) < Σ_{i in S} π_i − Σ_C μ_C·⌊|S ∩ C| / d⌋ + σ improves it.
 */
export class ClusterMaster {
  readonly #elements: number;
  readonly #simplex: Simplex;
  readonly #clusters: { readonly cluster: Cluster; readonly column: number }[] = [];
  readonly #known = new Set<string>();
  /** By element: which clusters have it. */
  readonly #having: number[][];
  /** Those of the rows behind elements and clusters. */
  #cuts: readonly ElementSet[] = [];

  constructor({ elements, clusters }: DescentProblem) {
    this.#elements = elements;
    this.#having = Array.from({ length: elements }, () => []);
    const rows = elements + 1;
    const sides = [...new Array<number>(elements).fill(1), clusters];
    const up = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [1] }));
    const down = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [-1] }));
    this.#simplex = new Simplex(sides, [...up, ...down], [...up.keys()]);
  }

  /** All clusters taken. */
  get clusters(): readonly Cluster[] {
    return this.#clusters.map(({ cluster }) => cluster);
  }

  /** Keeps the price of each element within a radius of a centre, and that of a cluster within another of its own. */
  focus(
    center: { readonly elements: Float64Array; readonly cluster: number },
    radius: number,
    clusterRadius: number,
  ): void {
    const rows = this.#elements + 1;
    for (let r = 0; r < rows; r++) {
      const [at, reach] = r < this.#elements ? [center.elements[r] as number, radius] : [center.cluster, clusterRadius];
      this.#simplex.setCost(r, at + reach);
      this.#simplex.setCost(rows + r, reach - at);
    }
  }

  /** Takes a cluster; says whether it was new. */
  add(cluster: Cluster): boolean {
    const key = cluster.elements.join();
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    for (const element of cluster.elements) (this.#having[element] as number[]).push(this.#clusters.length);
    this.#clusters.push({ cluster, column: this.#simplex.columnCount });
    const rows = [...cluster.elements, this.#elements];
    const values = new Array<number>(rows.length).fill(1);
    this.#cuts.forEach((cut, c) => {
      const times = timesIn(cut, cluster.elements);
      if (times === 0) return;
      rows.push(this.#elements + 1 + c);
      values.push(times);
    });
    this.#simplex.addColumn({ cost: cluster.cost, rows, values });
    return true;
  }

  /**
   * Takes 3-subset rows not there yet; lets go of cuts without a price at the last solution. Says whether any were new.
   */
  addSubsetRows(subsetRows: readonly SubsetRow[]): boolean {
    return this.addCuts(subsetRows.map((elements) => ({ elements, divisor: 2 })));
  }

  /** The same of sets of elements: Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋. */
  addCuts(cuts: readonly ElementSet[]): boolean {
    const known = new Set(this.#cuts.map(keyOf));
    const added = cuts.filter((cut) => !known.has(keyOf(cut)));
    if (added.length === 0) return false;
    const rows = this.#cuts.map((_, c) => this.#elements + 1 + c);
    const loose = new Set(rows.filter((row) => this.#simplex.isLoose(row)));
    this.#simplex.dropRows([...loose]);
    this.#cuts = [...this.#cuts.filter((_, c) => !loose.has(rows[c] as number)), ...added];
    for (const cut of added) this.#simplex.addRow(this.#rowOf(cut));
    return true;
  }

  #rowOf({ elements, divisor }: ElementSet): SimplexRow {
    const counts = new Map<number, number>();
    for (const element of elements) {
      for (const g of this.#having[element] as number[]) counts.set(g, (counts.get(g) ?? 0) + 1);
    }
    const sharing = [...counts].filter(([, count]) => count >= divisor).sort(([a], [b]) => a - b);
    return {
      columns: sharing.map(([g]) => (this.#clusters[g] as { readonly column: number }).column),
      values: sharing.map(([, count]) => Math.floor(count / divisor)),
      side: Math.floor(elements.length / divisor),
    };
  }

  /** `null` when the simplex gave up. */
  solve(shouldStop: ShouldStop): MasterDuals | null {
    if (!this.#simplex.solve(shouldStop)) return null;
    const duals = this.#simplex.prices();
    const values = this.#simplex.values();
    let away = 0;
    for (let r = 0; r < 2 * (this.#elements + 1); r++) away += values[r] as number;
    const priced = this.#cuts.flatMap((cut, c): PricedSet[] => {
      const dual = -(duals[this.#elements + 1 + c] as number);
      return dual > 0 ? [{ ...cut, dual }] : [];
    });
    return {
      elements: duals.slice(0, this.#elements),
      subsetRows: priced.filter(isSubsetRow).map(({ elements, dual }) => ({ elements: elements as SubsetRow, dual })),
      sets: priced.filter((cut) => !isSubsetRow(cut)),
      cluster: duals[this.#elements] as number,
      value: this.#simplex.objective,
      isFree: away < 1e-7,
    };
  }

  /**
   * What the fractional partition costs where some clusters may not be used, among those known so far; not a number
   * where the simplex gave up.
   */
  valueWithout(isLeftOut: (cluster: Cluster) => boolean, shouldStop: ShouldStop): number {
    const out = this.#clusters.filter(({ cluster }) => isLeftOut(cluster)).map(({ column }) => column);
    return this.#simplex.valueWithout(out, shouldStop) ?? Number.NaN;
  }

  /** The clusters in use at the last solution, most used first. */
  usage(): readonly ClusterUse[] {
    const values = this.#simplex.values();
    return this.#clusters
      .map(({ cluster, column }): ClusterUse => ({ cluster, times: values[column] as number }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}

function keyOf({ elements, divisor }: ElementSet): string {
  return `${divisor}:${elements.join()}`;
}

function isSubsetRow({ elements, divisor }: ElementSet): boolean {
  return divisor === 2 && elements.length === 3;
}

function timesIn({ elements, divisor }: ElementSet, cluster: readonly number[]): number {
  return Math.floor(elements.filter((element) => cluster.includes(element)).length / divisor);
}
