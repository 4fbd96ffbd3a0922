/** So many of some elements. */
export interface ConflictPart {
  /** Different ones, rising. */
  readonly elements: readonly number[];
  /** From 1. */
  readonly count: number;
}

/**
 * What no cluster may have at once: so many elements of every part. One part with as many as it has is a set of
 * elements that are never all in one cluster; several parts, or fewer of more elements, say the same of many such sets.
 */
export type Conflict = readonly ConflictPart[];

/** Whether a cluster has so many elements of every part. */
export function isConflicting(conflict: Conflict, cluster: readonly number[]): boolean {
  return conflict.every(({ elements, count }) => {
    let held = 0;
    for (const element of cluster) if (elements.includes(element) && ++held === count) return true;
    return false;
  });
}

/** The pairs of so many elements that are never in one cluster, for conflicts alone. */
export function conflictingPairs(
  elementCount: number,
  conflicts: readonly Conflict[],
): readonly (readonly [number, number])[] {
  // A conflict of more elements at the least is not one of any two.
  const small = conflicts.filter((conflict) => conflict.every(({ count }) => count <= 2));
  const pairs: (readonly [number, number])[] = [];
  if (small.length === 0) return pairs;
  for (let j = 1; j < elementCount; j++) {
    for (let i = 0; i < j; i++) {
      if (small.some((conflict) => isConflicting(conflict, [i, j]))) pairs.push([i, j]);
    }
  }
  return pairs;
}
