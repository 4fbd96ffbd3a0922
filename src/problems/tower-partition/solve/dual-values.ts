import type { Cluster } from "./clusters.js";
import type { ClusterUse } from "./master.js";

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
