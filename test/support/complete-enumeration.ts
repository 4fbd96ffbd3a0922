/** What is enumerated: pairs are integers, F × F by rows, symmetric; all groups have least … most items. */
export interface WholePartition {
  readonly items: number;
  readonly groups: number;
  readonly pairs: readonly number[];
  readonly window: { readonly least: number; readonly most: number };
  /** A group of s items costs this much times its pairs: an integer by size. */
  readonly factor: (size: number) => number;
}

/**
 * The least cost of a partition, by dynamic programming over all sets of items (up to some twenty): the set with k groups in
 * it, by its group with the first item. In integers, so that doubles are exact; ∞ where no sizes fit.
 */
export function leastByEnumeration({ items, groups, pairs, window, factor }: WholePartition): number {
  const all = 2 ** items;
  const sums = new Float64Array(all);
  const sizes = new Uint8Array(all);
  for (let set = 1; set < all; set++) {
    const first = 31 - Math.clz32(set & -set);
    const rest = set & (set - 1);
    let sum = sums[rest] as number;
    for (let left = rest; left !== 0; left &= left - 1) {
      sum += pairs[first * items + (31 - Math.clz32(left & -left))] as number;
    }
    sums[set] = sum;
    sizes[set] = (sizes[rest] as number) + 1;
  }
  const known: Map<number, number>[] = Array.from({ length: groups + 1 }, () => new Map());
  const leastOf = (set: number, count: number): number => {
    const size = sizes[set] as number;
    if (size < count * window.least || size > count * window.most) return Number.POSITIVE_INFINITY;
    if (count === 0) return 0;
    const before = known[count]?.get(set);
    if (before !== undefined) return before;
    let least = Number.POSITIVE_INFINITY;
    const first = set & -set;
    const extend = (group: number, open: number, length: number): void => {
      if (length >= window.least) {
        const cost = (sums[group] as number) * factor(length) + leastOf(set & ~group, count - 1);
        if (cost < least) least = cost;
      }
      if (length === window.most) return;
      for (let left = open; left !== 0; left &= left - 1) {
        const item = left & -left;
        extend(group | item, left & (left - 1), length + 1);
      }
    };
    extend(first, set & ~first, 1);
    known[count]?.set(set, least);
    return least;
  };
  return leastOf(all - 1, groups);
}
