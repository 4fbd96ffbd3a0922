import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import type { ElementSet } from "../../../../../src/problems/tower-partition/solve/dual-values.js";
import type { ClusterUse } from "../../../../../src/problems/tower-partition/solve/master.js";
import { violatedSets } from "../../../../../src/problems/tower-partition/solve/violated-sets.js";

const excessOf = ({ elements, divisor }: ElementSet, usage: readonly ClusterUse[]) =>
  usage.reduce(
    (sum, { cluster, times }) =>
      sum + times * Math.floor(cluster.elements.filter((i) => elements.includes(i)).length / divisor),
    -Math.floor(elements.length / divisor),
  );

/** All sets of `size` of the items. */
function subsets(elements: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return elements.flatMap((element, at) => subsets(elements.slice(at + 1), size - 1).map((rest) => [element, ...rest]));
}

test("seven items that all their fives share evenly: no two fives are disjoint", () => {
  const fives = subsets([0, 1, 2, 3, 4, 5, 6], 5);
  // Every item is in 15 of the 21 fives.
  const usage = fives.map((elements) => ({ cluster: { elements, cost: 1 }, times: 1 / 15 }));
  const [first] = violatedSets(7, usage, 1);
  // 21/15 groups have four of the seven, and only one can.
  expect(excessOf(first as ElementSet, usage)).toBeCloseTo(21 / 15 - 1, 12);
});

test("what is found is violated, each set once, the most violated first", () => {
  const random = seededRandom(4711);
  let found = 0;
  for (let round = 0; round < 60; round++) {
    // Items in circles, each covered by the runs of so many that it is part of: where a circle is no multiple of these,
    // no partition is like that.
    const size = 3 + random.integer(3);
    const circles = Array.from({ length: 1 + random.integer(3) }, () => size + 1 + random.integer(2 * size));
    const elements = circles.reduce((sum, length) => sum + length, 0);
    const names = [...Array(elements).keys()].sort(() => random.next() - 0.5);
    const usage: ClusterUse[] = [];
    for (const length of circles) {
      const circle = names.splice(0, length);
      for (let from = 0; from < length; from++) {
        const run = Array.from({ length: size }, (_, k) => circle[(from + k) % length] as number);
        usage.push({ cluster: { elements: run.sort((a, b) => a - b), cost: 1 }, times: 1 / size });
      }
    }
    const sets = violatedSets(elements, usage, 20);
    const excesses = sets.map((set) => excessOf(set, usage));
    for (const set of sets) {
      expect(set.elements.length).toBeGreaterThan(set.divisor);
      expect(new Set(set.elements).size).toBe(set.elements.length);
      expect(set.elements).toEqual(set.elements.toSorted((a, b) => a - b));
    }
    expect(Math.min(1, ...excesses)).toBeGreaterThan(0.02);
    expect(excesses).toEqual(excesses.toSorted((a, b) => b - a));
    expect(new Set(sets.map(({ elements: own, divisor }) => `${divisor}:${own.join()}`)).size).toBe(sets.length);
    expect(sets.length).toBeLessThanOrEqual(20);
    found += sets.length;
  }
  expect(found).toBeGreaterThan(100);
});

test("of a partition there is nothing to be found", () => {
  const usage = [
    { cluster: { elements: [0, 1, 2], cost: 1 }, times: 1 },
    { cluster: { elements: [3, 4, 5], cost: 1 }, times: 1 },
  ];
  expect(violatedSets(6, usage, 10)).toEqual([]);
});
