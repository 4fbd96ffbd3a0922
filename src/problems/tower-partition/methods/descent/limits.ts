import type { TowerProblem } from "../../../../../models/tower-partition/problem.js";

/** All clusters of a partition have least … most elements. */
export type SizeWindow = TowerProblem["windows"][number];

/** What each cluster can carry: the weight of each element, not negative, and the most. */
export interface LoadLimit {
  readonly weights: ArrayLike<number>;
  readonly most: number;
}

/** A partition problem in doubles: what a descent looks at. */
export interface DescentProblem {
  /** F. */
  readonly elements: number;
  /** T. */
  readonly clusters: number;
  /** F × F by rows, symmetric, zero on the diagonal. */
  readonly pairs: Float64Array;
  /** By size of a cluster, 0 … F: what the sum of its pairs is multiplied by. */
  readonly share: Float64Array;
  readonly windows: readonly SizeWindow[];
  readonly load: LoadLimit | null;
  /**
   * Whether a cluster keeps to what else limits clusters, for searches for single clusters; all do where it is left
   * out.
   */
  readonly admits?: (cluster: readonly number[]) => boolean;
}

/** `pairwise`: pairs are D, shares 1; `kmeans`: pairs are D², shares 1/size. */
export function descentProblem({ features, towers, objective, distance, windows, load }: TowerProblem): DescentProblem {
  const elements = features.length;
  const isWhole = objective === "pairwise";
  return {
    elements,
    clusters: towers,
    pairs: isWhole ? distance : distance.map((d) => d * d),
    share: Float64Array.from({ length: elements + 1 }, (_, size) => (isWhole ? 1 : 1 / Math.max(1, size))),
    windows,
    load,
  };
}

/** Σ over clusters of share(size) · Σ_{i<j in cluster} pair(i, j), of the cluster 0 … T−1 of each element. */
export function partitionValue(
  { elements, clusters, pairs, share }: DescentProblem,
  labels: ArrayLike<number>,
): number {
  const sums = new Float64Array(clusters);
  const sizes = new Int32Array(clusters);
  for (let i = 0; i < elements; i++) {
    const cluster = labels[i] as number;
    sizes[cluster] = (sizes[cluster] as number) + 1;
    for (let j = 0; j < i; j++) {
      if (labels[j] === cluster) sums[cluster] = (sums[cluster] as number) + (pairs[i * elements + j] as number);
    }
  }
  return sums.reduce((value, sum, cluster) => value + sum * (share[sizes[cluster] as number] as number), 0);
}

/** The same partition with its clusters numbered in the order of their first elements. */
export function inOrderOfFirst(labels: ArrayLike<number>): readonly number[] {
  const order = new Map<number, number>();
  return Array.from(labels, (cluster) => {
    if (!order.has(cluster)) order.set(cluster, order.size);
    return order.get(cluster) as number;
  });
}
