/** So many of some items. */
export interface ConflictPart {
  /** Different ones, rising. */
  readonly items: readonly number[];
  /** From 1. */
  readonly count: number;
}

/**
 * What no group may have at once: so many items of every part. One part with as many as it has is a set of items that are
 * never all in one group; several parts, or fewer of more items, say the same of many such sets.
 */
export type Conflict = readonly ConflictPart[];

/** Whether a group has so many items of every part. */
export function isConflicting(conflict: Conflict, group: readonly number[]): boolean {
  return conflict.every(({ items, count }) => {
    let held = 0;
    for (const item of group) if (items.includes(item) && ++held === count) return true;
    return false;
  });
}

/** The pairs of so many items that are never in one group, for conflicts alone. */
export function conflictingPairs(
  itemCount: number,
  conflicts: readonly Conflict[],
): readonly (readonly [number, number])[] {
  // A conflict of more items at the least is not one of any two.
  const small = conflicts.filter((conflict) => conflict.every(({ count }) => count <= 2));
  const pairs: (readonly [number, number])[] = [];
  if (small.length === 0) return pairs;
  for (let j = 1; j < itemCount; j++) {
    for (let i = 0; i < j; i++) {
      if (small.some((conflict) => isConflicting(conflict, [i, j]))) pairs.push([i, j]);
    }
  }
  return pairs;
}
