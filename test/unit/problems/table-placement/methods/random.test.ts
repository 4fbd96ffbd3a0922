import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import type { PlacementHeuristicResult } from "../../../../../src/problems/table-placement/methods/heuristic.js";
import { tablePlacementHeuristics } from "../../../../../src/problems/table-placement/methods/index.js";
import { devicesOf, planOf, problemWith, whole } from "./support.js";

const { random, "random-search": randomSearch } = tablePlacementHeuristics;

const problem = problemWith(
  { gpusPerNode: 4 },
  Array.from({ length: 40 }, (_, t) => [whole(1 + (t % 7), 1)]),
);

test("the same seed draws the same plan, another seed another one", () => {
  const draw = (seed: number) => devicesOf(random(problem, { seed })).flat();
  expect(draw(3)).toEqual(draw(3));
  expect(draw(3)).not.toEqual(draw(4));
  expect(new Set(draw(3))).toEqual(new Set([0, 1, 2, 3]));
});

test("random draws devices evenly", () => {
  const counts = [0, 0, 0, 0];
  for (let seed = 0; seed < 100; seed++) {
    for (const device of devicesOf(random(problem, { seed })).flat()) counts[device] = (counts[device] as number) + 1;
  }
  // 4,000 draws: a standard deviation is 27.
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(5 * 27.4);
});

test("a random plan that does not fit is no plan", () => {
  const tight = problemWith({ gpusPerNode: 2, hbmBytes: [0, 1] }, [[whole(1, 1)]]);
  const results = Array.from({ length: 20 }, (_, seed) => random(tight, { seed }));
  expect(results.filter(({ kind }) => kind === "plan").map(devicesOf)).toContainEqual([[1]]);
  expect(results).toContainEqual({
    kind: "none",
    reason: "the plan that it drew puts more on device 0 than its memory holds",
  });
});

test("the search's first plan is the random one", () => {
  let asked = 0;
  const stopAfterOne = () => ++asked > 0;
  expect(randomSearch(problem, { seed: 5, shouldStop: stopAfterOne })).toEqual(random(problem, { seed: 5 }));
});

test("random search has the better balance", () => {
  for (let seed = 0; seed < 5; seed++) {
    expect(balance(randomSearch(problem, { seed }))).toBeGreaterThan(balance(random(problem, { seed })));
  }
});

test("of plans with an empty device, which are all equally unbalanced, the search takes the least costly", () => {
  const few = problemWith({ gpusPerNode: 3 }, [[whole(1)], [whole(1)]]);
  const devices = devicesOf(randomSearch(few, { seed: 0 })).flat();
  expect(new Set(devices).size).toBe(2);
});

test("the search skips plans that do not fit, and finds none where nothing does", () => {
  const one = problemWith({ gpusPerNode: 2, hbmBytes: [10, 20] }, [[whole(1, 15)], [whole(1, 10)]]);
  expect(devicesOf(randomSearch(one, { seed: 0 })).flat()).toEqual([1, 0]);
  const nothing = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [[whole(1, 15)]]);
  expect(randomSearch(nothing, { seed: 0 })).toEqual({
    kind: "none",
    reason: "none of 1000 random plans fits the memory of the devices",
  });
});

/** The smallest device cost over the largest. */
function balance(result: PlacementHeuristicResult): number {
  const costs = evaluatePlacement(problem, planOf(result)).deviceCosts.map((cost) => cost.toNumber());
  return Math.min(...costs) / Math.max(...costs);
}
