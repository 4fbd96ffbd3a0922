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
 * The least Σ value(size) over sizes of all clusters that add up to all elements, by dynamic programming over clusters
 * and elements. A size whose value is `null` is not had by any cluster.
 */
export function leastSums({ elements, clusters }: Grouping, values: ReadonlyMap<number, Rational | null>): SizeSums {
  const all = elements.length;
  let unit = 1n;
  for (const value of values.values()) if (value !== null) unit = leastCommonMultiple(unit, value.denominator);
  const scaled: (readonly [number, bigint])[] = [];
  for (const [size, value] of values) {
    if (value !== null) scaled.push([size, value.numerator * (unit / value.denominator)]);
  }
  let sums: (bigint | null)[] = new Array(all + 1).fill(null);
  sums[0] = 0n;
  const extended = (from: readonly (bigint | null)[]) => {
    const next: (bigint | null)[] = new Array(all + 1).fill(null);
    from.forEach((sum, count) => {
      if (sum === null) return;
      for (const [size, value] of scaled) {
        if (count + size > all) continue;
        const known = next[count + size] as bigint | null;
        if (known === null || sum + value < known) next[count + size] = sum + value;
      }
    });
    return next;
  };
  for (let cluster = 1; cluster < clusters; cluster++) sums = extended(sums);
  const rational = (sum: bigint | null | undefined) => (sum == null ? null : Rational.of(sum, unit));
  const others = sums;
  return {
    least: rational(extended(sums)[all]),
    beside: new Map([...values.keys()].map((size) => [size, rational(others[all - size])])),
  };
}
