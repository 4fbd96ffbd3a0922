import type { Cluster } from "./clusters.js";

/** A set of elements and a divisor, less than how many they are: what a cut is of. */
export interface ElementSet {
  readonly elements: readonly number[];
  readonly divisor: number;
}

/** A set and what a cluster pays for every `divisor` of its elements that it has. */
export interface SearchSet extends ElementSet {
  readonly dual: number;
}

/**
 * Dual values of elements and sets of elements in doubles; what they mean is said at `ClusterDuals`
 * (src/proof/kernel/grouping/dual-values.ts).
 */
export interface SearchDuals {
  readonly elements: Float64Array;
  readonly sets: readonly SearchSet[];
}

/** cost(S) − Σ_{i in S} π_i + Σ_C μ_C·⌊|S ∩ C| / d_C⌋. */
export function reducedCost({ elements, cost }: Cluster, duals: SearchDuals): number {
  let reduced = cost;
  for (const element of elements) reduced -= duals.elements[element] as number;
  for (const set of duals.sets) reduced += timesIn(set, elements) * set.dual;
  return reduced;
}

/** ⌊|S ∩ C| / d⌋. */
export function timesIn({ elements, divisor }: ElementSet, cluster: readonly number[]): number {
  let count = 0;
  for (const element of elements) if (cluster.includes(element)) count++;
  return Math.floor(count / divisor);
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
  readonly #subsetRows: readonly SearchSet[];

  /** All sets are 3-subset rows. */
  constructor(elements: number, subsetRows: readonly SearchSet[]) {
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
      const [a, b, c] = elements as [number, number, number];
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
