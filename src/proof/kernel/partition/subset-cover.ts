/** Sets gone through between two looks at the time. */
const SETS_BETWEEN = 2 ** 16;

/**
 * Splits all of n tables into one set for each device, each of its device's family; a family is a byte per set of tables
 * (bit t of its index: table t), 1 where the device may have the set. Returns the sets by device, `null` where there are none.
 *
 * Half of the devices have one part, the others the rest: which parts half of them can have is the disjoint-union product of
 * the halves of that half, and so on. Alike halves (the same family objects) are worked out once. `checkTime` is called now and
 * then; what it throws ends the work.
 */
export function splitByFamilies(
  families: readonly Uint8Array[],
  tables: number,
  checkTime: () => void = () => {},
): readonly number[] | null {
  const all = 2 ** tables - 1;
  if (families.length === 0) return tables === 0 ? [] : null;
  const known: { readonly families: readonly Uint8Array[]; readonly parts: Uint8Array }[] = [];
  const partsOf = (some: readonly Uint8Array[]): Uint8Array => {
    if (some.length === 1) return some[0] as Uint8Array;
    const found = known.find((one) => isSame(one.families, some));
    if (found !== undefined) return found.parts;
    const [left, right] = halves(some);
    const parts = disjointUnions(partsOf(left), partsOf(right), tables, checkTime);
    known.push({ families: some, parts });
    return parts;
  };
  const split = (some: readonly Uint8Array[], part: number): readonly number[] | null => {
    if (some.length === 1) return some[0]?.[part] === 1 ? [part] : null;
    const [left, right] = halves(some);
    const [first, second] = [partsOf(left), partsOf(right)];
    // All subsets of the part, the greatest first.
    for (let own = part; ; own = (own - 1) & part) {
      if (first[own] === 1 && second[part ^ own] === 1) {
        return [...(split(left, own) as readonly number[]), ...(split(right, part ^ own) as readonly number[])];
      }
      if (own === 0) return null;
    }
  };
  return split(families, all);
}

function halves<T>(list: readonly T[]): [readonly T[], readonly T[]] {
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((entry, k) => entry === other[k]);
}

/**
 * The sets that are a set of one family and a disjoint one of another: the subset convolution of Björklund, Husfeldt, Kaski
 * and Koivisto (2007), O(2ⁿ·n²). It counts in how many ways a set is such a union, modulo 2³²; a set of n tables has at
 * most 2ⁿ ways, so that none is lost.
 */
export function disjointUnions(
  one: Uint8Array,
  other: Uint8Array,
  tables: number,
  checkTime: () => void = () => {},
): Uint8Array {
  const ranks = tables + 1;
  const size = 2 ** tables;
  const first = rankedSums(one, tables, checkTime);
  const second = one === other ? first : rankedSums(other, tables, checkTime);
  const product = new Int32Array(ranks);
  for (let set = 0; set < size; set++) {
    if (set % SETS_BETWEEN === 0) checkTime();
    const at = set * ranks;
    product.fill(0);
    for (let i = 0; i <= tables; i++) {
      const a = first[at + i] as number;
      if (a === 0) continue;
      for (let j = 0; i + j <= tables; j++) {
        product[i + j] = (product[i + j] as number) + Math.imul(a, second[at + j] as number);
      }
    }
    first.set(product, at);
  }
  for (let bit = 1; bit < size; bit *= 2) {
    checkTime();
    addOverSubsets(first, size, ranks, bit, -1);
  }
  const unions = new Uint8Array(size);
  for (let set = 0; set < size; set++) unions[set] = first[set * ranks + bitCount(set)] === 0 ? 0 : 1;
  return unions;
}

/** How many sets of a family with r tables are subsets, by set and then by r. */
function rankedSums(family: Uint8Array, tables: number, checkTime: () => void): Int32Array {
  const ranks = tables + 1;
  const sums = new Int32Array(family.length * ranks);
  for (let set = 0; set < family.length; set++) {
    if (family[set] === 1) sums[set * ranks + bitCount(set)] = 1;
  }
  for (let bit = 1; bit < family.length; bit *= 2) {
    checkTime();
    addOverSubsets(sums, family.length, ranks, bit, 1);
  }
  return sums;
}

/** To each set with a table, adds or takes away what the set without it has. */
function addOverSubsets(sums: Int32Array, size: number, ranks: number, bit: number, sign: 1 | -1): void {
  for (let set = 0; set < size; set++) {
    if ((set & bit) === 0) continue;
    const at = set * ranks;
    const from = (set ^ bit) * ranks;
    for (let r = 0; r < ranks; r++) sums[at + r] = (sums[at + r] as number) + sign * (sums[from + r] as number);
  }
}

function bitCount(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count++;
  return count;
}
