import type { TowerProblem } from "../../../../../models/tower-partition/problem.js";

/** All groups of a partition have least … most items. */
export type SizeWindow = TowerProblem["windows"][number];

/** What each group can carry: the weight of each item, not negative, and the most. */
export interface LoadLimit {
  readonly weights: ArrayLike<number>;
  readonly most: number;
}

/** A partition problem in doubles: what a descent looks at. */
export interface DescentProblem {
  /** F. */
  readonly items: number;
  /** T. */
  readonly groups: number;
  /** F × F by rows, symmetric, zero on the diagonal. */
  readonly pairs: Float64Array;
  /** By size of a group, 0 … F: what the sum of its pairs is multiplied by. */
  readonly share: Float64Array;
  readonly windows: readonly SizeWindow[];
  readonly load: LoadLimit | null;
  /** Whether a group keeps to what else limits groups, for searches for single groups; all do where it is left out. */
  readonly admits?: (group: readonly number[]) => boolean;
}

/** `pairwise`: pairs are D, shares 1; `kmeans`: pairs are D², shares 1/size. */
export function descentProblem({ features, towers, objective, distance, windows, load }: TowerProblem): DescentProblem {
  const items = features.length;
  const isWhole = objective === "pairwise";
  return {
    items,
    groups: towers,
    pairs: isWhole ? distance : distance.map((d) => d * d),
    share: Float64Array.from({ length: items + 1 }, (_, size) => (isWhole ? 1 : 1 / Math.max(1, size))),
    windows,
    load,
  };
}

/** Σ over groups of share(size) · Σ_{i<j in group} pair(i, j), of the group 0 … T−1 of each item. */
export function partitionValue({ items, groups, pairs, share }: DescentProblem, numbering: ArrayLike<number>): number {
  const sums = new Float64Array(groups);
  const sizes = new Int32Array(groups);
  for (let i = 0; i < items; i++) {
    const group = numbering[i] as number;
    sizes[group] = (sizes[group] as number) + 1;
    for (let j = 0; j < i; j++) {
      if (numbering[j] === group) sums[group] = (sums[group] as number) + (pairs[i * items + j] as number);
    }
  }
  return sums.reduce((value, sum, group) => value + sum * (share[sizes[group] as number] as number), 0);
}

/** The same partition with its groups numbered in the order of their first items. */
export function inOrderOfFirst(numbering: ArrayLike<number>): readonly number[] {
  const order = new Map<number, number>();
  return Array.from(numbering, (group) => {
    if (!order.has(group)) order.set(group, order.size);
    return order.get(group) as number;
  });
}
