import { describe, expect, test } from "vitest";
import { partitionValue } from "../../../../../src/problems/tower-partition/methods/descent/limits.js";
import { numbersOf } from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { descents } from "../../../../../src/problems/tower-partition/solve/starts.js";
import type { SizeWindow } from "../../../../../src/program/grouping/grouping.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

const limits = { restarts: 30, children: 225, seed: 0, shouldStop: () => false };

function endsOf(towers: number, objective: "pairwise" | "kmeans", changes: Partial<typeof limits> = {}) {
  const grouping = seededGrouping("uniform", { features: 60, towers }, objective, 1);
  const numbers = numbersOf(grouping);
  const ends = descents(numbers, grouping.windows[0] as SizeWindow, { ...limits, ...changes });
  return { numbers, ends };
}

describe.each([
  [4, "pairwise"],
  [8, "kmeans"],
] as const)("60 features, %d towers, %s", (towers, objective) => {
  test("every seed ends in the same value, below all descents from random numberings", () => {
    const values = [0, 1, 2].map((seed) => endsOf(towers, objective, { seed }).ends[0]?.value as number);
    for (const value of values) expect(value).toBeCloseTo(values[0] as number, 9);
    const { ends } = endsOf(towers, objective, { children: 0 });
    expect(ends).toHaveLength(limits.restarts);
    expect(values[0]).toBeLessThan(ends[0]?.value as number);
  });

  test("the best first, at its value; the same again", () => {
    const { numbers, ends } = endsOf(towers, objective, { children: 20 });
    const values = ends.map(({ value }) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    for (const { labels, value } of ends) expect(partitionValue(numbers, labels)).toBe(value);
    expect(endsOf(towers, objective, { children: 20 }).ends).toEqual(ends);
  });
});

test("one group, and as many groups as items", () => {
  for (const towers of [1, 12]) {
    const grouping = seededGrouping("uniform", { features: 12, towers }, "kmeans", 1);
    const [end, ...others] = descents(numbersOf(grouping), grouping.windows[0] as SizeWindow, limits);
    expect(new Set(end?.labels).size).toBe(towers);
    expect(others.every(({ value }) => value === end?.value)).toBe(true);
  }
});
