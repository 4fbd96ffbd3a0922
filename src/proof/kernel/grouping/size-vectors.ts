import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import type { Grouping, SizeWindow } from "../../../program/grouping/grouping.js";

/** The sizes that a cluster can have where all sizes lie within a window and add up to all elements; rising. */
export function sizesWithin({ elements, clusters }: Grouping, { least, most }: SizeWindow): readonly number[] {
  const sizes: number[] = [];
  for (let size = least; size <= most; size++) {
    const others = elements.length - size;
    if (others >= (clusters - 1) * least && others <= (clusters - 1) * most) sizes.push(size);
  }
  return sizes;
}

/** The least sums of one number for each cluster's size. */
export interface SizeSums {
  /** Over all clusters; `null` where no sizes add up. */
  readonly least: Rational | null;
  /** By size: over the other clusters, where one has this size; `null` where no sizes of the others add up. */
  readonly beside: ReadonlyMap<number, Rational | null>;
}

/**
 * The least Σ value(size) over sizes of all clusters that add up to all elements. A size whose value is `null` is not had by
 * any cluster.
 */
export function leastSums({ elements, clusters }: Grouping, values: ReadonlyMap<number, Rational | null>): SizeSums {
  const all = elements.length;
  let unit = 1n;
  for (const value of values.values()) if (value !== null) unit = leastCommonMultiple(unit, value.denominator);
  const scaled = new Map<number, bigint>();
  for (const [size, value] of values) {
    if (value !== null) scaled.set(size, value.numerator * (unit / value.denominator));
  }
  const table = leastTable(clusters, all, [...scaled.keys()], (size) => scaled.get(size) as bigint);
  const rational = (k: number, count: number) => {
    const sum = table[k]?.[count] ?? null;
    return sum === null ? null : Rational.of(sum, unit);
  };
  return {
    least: rational(clusters, all),
    beside: new Map([...values.keys()].map((size) => [size, rational(clusters - 1, all - size)])),
  };
}

/**
 * By clusters k = 0, 1, … and by elements m: the least Σ of what clusters are worth that have these m elements among them, the
 * size of each one of `sizes`; `null` where no sizes add up. What a cluster is worth may depend on how many elements those
 * before it have.
 */
export function leastTable(
  clusters: number,
  elements: number,
  sizes: readonly number[],
  worth: (size: number, before: number) => bigint,
): readonly (readonly (bigint | null)[])[] {
  const table = [Array.from({ length: elements + 1 }, (_, m): bigint | null => (m === 0 ? 0n : null))];
  for (let k = 0; k < clusters; k++) {
    const next: (bigint | null)[] = new Array(elements + 1).fill(null);
    table[k]?.forEach((sum, m) => {
      if (sum === null) return;
      for (const size of sizes) {
        if (m + size > elements) continue;
        const total = sum + worth(size, m);
        const known = next[m + size] ?? null;
        if (known === null || total < known) next[m + size] = total;
      }
    });
    table.push(next);
  }
  return table;
}
