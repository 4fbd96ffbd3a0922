import type { Cluster } from "./clusters.js";

/** Three elements, of which two clusters of a partition cannot both have two. */
export type SubsetRow = readonly [number, number, number];

/** Three elements and what a cluster pays that has two or all of them. */
export interface SearchSubsetRow {
  readonly elements: SubsetRow;
  readonly dual: number;
}

/**
 * Dual values of elements and 3-subset rows in doubles; what they mean is said at `ClusterDuals`
 * (src/proof/kernel/grouping/dual-values.ts).
 */
export interface SearchDuals {
  readonly elements: Float64Array;
  readonly subsetRows: readonly SearchSubsetRow[];
}

/** cost(S) − Σ_{i in S} π_i + Σ_C μ_C·[|S ∩ C| ≥ 2]. */
export function reducedCost({ elements, cost }: Cluster, duals: SearchDuals): number {
  let reduced = cost;
  for (const element of elements) reduced -= duals.elements[element] as number;
  for (const subsetRow of duals.subsetRows) if (hasTwo(elements, subsetRow.elements)) reduced += subsetRow.dual;
  return reduced;
}

/** Whether a cluster has two or all of three elements. */
export function hasTwo(cluster: readonly number[], subsetRow: SubsetRow): boolean {
  let count = 0;
  for (const element of subsetRow) if (cluster.includes(element)) count++;
  return count >= 2;
}

/** What 3-subset rows change of a cluster's reduced cost when elements come and go. */
export class SubsetRowMoves {
  /** By element outside: what the cluster pays more with it. */
  readonly enter: Float64Array;
  /** By element inside: what it pays less without it. */
  readonly leave: Float64Array;
  /** At inside · elements + outside: what both together pay more than that. */
  readonly both: Float64Array;
  /** What the cluster pays. */
  paid = 0;
  readonly #elements: number;
  readonly #subsetRows: readonly SearchSubsetRow[];

  constructor(elements: number, subsetRows: readonly SearchSubsetRow[]) {
    this.#elements = elements;
    this.#subsetRows = subsetRows;
    this.enter = new Float64Array(elements);
    this.leave = new Float64Array(elements);
    this.both = new Float64Array(subsetRows.length === 0 ? 0 : elements * elements);
  }

  /** Looks at a cluster anew: 1 for each element inside. */
  update(inside: Uint8Array): void {
    this.enter.fill(0);
    this.leave.fill(0);
    this.paid = 0;
    for (const { elements } of this.#subsetRows) {
      for (const i of elements) for (const j of elements) this.both[i * this.#elements + j] = 0;
    }
    for (const { elements, dual } of this.#subsetRows) {
      const [a, b, c] = elements;
      const count = (inside[a] as number) + (inside[b] as number) + (inside[c] as number);
      if (count >= 2) this.paid += dual;
      if (count === 0 || count === 3) continue;
      for (const i of elements) {
        if (inside[i] === 0 && count === 1) this.enter[i] = (this.enter[i] as number) + dual;
        if (inside[i] === 1 && count === 2) this.leave[i] = (this.leave[i] as number) + dual;
        // Exchanged for one another, they change nothing.
        for (const j of elements) {
          if (inside[i] === 0 || inside[j] === 1) continue;
          const at = i * this.#elements + j;
          this.both[at] = (this.both[at] as number) + (count === 1 ? -dual : dual);
        }
      }
    }
  }
}
