import { Rational } from "../../../exact/rational.js";

/** What a set of elements costs a cluster for every d of its elements that the cluster has. */
export interface SetDual {
  /** At least d + 1, all different. */
  readonly elements: readonly number[];
  /** d ≥ 2. */
  readonly divisor: number;
  /** μ ≥ 0. */
  readonly dual: Rational;
}

/**
 * Dual values by which clusters are judged: π_i of each element, which a cluster earns, and μ_C of sets of elements,
 * which it pays.
 *
 * For any set C and divisor d the clusters share out |C| elements, so that Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋: two clusters
 * of a partition cannot both have two of three elements (subset-row inequalities: Jepsen, Petersen, Spoorendonk and
 * Pisinger, Operations Research 56, 2008; Chvátal and Gomory). So with
 *
 *   reduced(S) = cost(S) − Σ_{i in S} π_i + Σ_C μ_C·⌊|S ∩ C| / d_C⌋,   μ ≥ 0,
 *
 * the value of every partition is at least Σ π − Σ μ_C·⌊|C| / d_C⌋ + Σ reduced(S) over its clusters.
 */
export interface ClusterDuals {
  readonly elements: readonly Rational[];
  readonly sets: readonly SetDual[];
}

/** Σ π − Σ μ·⌊|C| / d⌋: what dual values are worth beside the reduced costs of clusters. */
export function worthOf({ elements, sets }: ClusterDuals): Rational {
  let worth = elements.reduce((sum, dual) => sum.add(dual), Rational.zero);
  for (const { elements, divisor, dual } of sets) {
    worth = worth.subtract(dual.multiply(Rational.of(BigInt(Math.floor(elements.length / divisor)))));
  }
  return worth;
}
