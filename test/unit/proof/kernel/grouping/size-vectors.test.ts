import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import type { Grouping } from "../../../../../src/program/grouping/grouping.js";
import { leastSums, sizesWithin } from "../../../../../src/proof/kernel/grouping/size-vectors.js";

function groupingOf(elements: number, clusters: number): Grouping {
  const names = Array.from({ length: elements }, (_, i) => `f${i}`);
  return { name: "sizes", elements: names, clusters, pairs: [], share: "whole", windows: [], load: null };
}

/** All lists of sizes of the groups that add up to the items. */
function vectors(elements: number, clusters: number, least: number, most: number): number[][] {
  if (clusters === 0) return elements === 0 ? [[]] : [];
  const lists: number[][] = [];
  for (let size = least; size <= most && size <= elements; size++) {
    for (const rest of vectors(elements - size, clusters - 1, least, most)) lists.push([size, ...rest]);
  }
  return lists;
}

test("the sizes of a window are those of the lists that add up", () => {
  for (let elements = 1; elements <= 9; elements++) {
    for (let clusters = 1; clusters <= 4; clusters++) {
      for (let least = 1; least <= 4; least++) {
        for (let most = least; most <= 6; most++) {
          const seen = new Set(vectors(elements, clusters, least, most).flat());
          expect(sizesWithin(groupingOf(elements, clusters), { least, most })).toEqual([...seen].sort((a, b) => a - b));
        }
      }
    }
  }
});

test("the least sums are those over all lists", () => {
  const random = seededRandom(7301);
  for (let round = 0; round < 300; round++) {
    const elements = 1 + random.integer(10);
    const clusters = 1 + random.integer(4);
    const least = 1 + random.integer(3);
    const most = least + random.integer(4);
    const grouping = groupingOf(elements, clusters);
    const values = new Map<number, Rational | null>();
    for (const size of sizesWithin(grouping, { least, most })) {
      const value = Rational.of(BigInt(random.integer(41) - 20), BigInt(1 + random.integer(7)));
      values.set(size, random.integer(6) === 0 ? null : value);
    }
    const sums = vectors(elements, clusters, least, most)
      .filter((sizes) => sizes.every((size) => (values.get(size) ?? null) !== null))
      .map((sizes) => ({ sizes, sum: sizes.reduce((sum, s) => sum.add(values.get(s) as Rational), Rational.zero) }));
    const lowest = (among: typeof sums) =>
      among.reduce<Rational | null>((low, { sum }) => (low === null || sum.compare(low) < 0 ? sum : low), null);
    const found = leastSums(grouping, values);
    expect(found.least).toEqual(lowest(sums));
    for (const [size, value] of values) {
      const having = lowest(sums.filter(({ sizes }) => sizes.includes(size)));
      // A size that no group has: nothing is said of the others but that they may be there.
      if (value === null) continue;
      expect(found.beside.get(size) ?? null).toEqual(having === null ? null : having.subtract(value));
    }
  }
});
