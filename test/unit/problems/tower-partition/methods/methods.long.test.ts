import { describe, expect, test } from "vitest";
import { descentProblem, partitionValue } from "../../../../../src/problems/tower-partition/methods/descent/limits.js";
import { EMBEDDING_METHODS } from "../../../../../src/problems/tower-partition/methods/embedding/embed.js";
import { keepsToLoad, searchWithinLoad } from "../../../../../src/problems/tower-partition/methods/heuristic.js";
import {
  TOWER_HEURISTICS,
  type TowerHeuristicName,
} from "../../../../../src/problems/tower-partition/methods/index.js";
import { distanceMatrix, problemOf } from "./support.js";

const names = Object.keys(TOWER_HEURISTICS) as TowerHeuristicName[];

test("there are four methods", () => {
  expect(names).toEqual(["tp", "strided", "swap", "tp-swap"]);
});

describe.each(names)("%s", (name) => {
  const method = TOWER_HEURISTICS[name];

  test("gives every feature a tower of its own, or one tower all features", () => {
    const distance = distanceMatrix("uniform", 6, 1);
    expect(method(problemOf(distance, 6), { seed: 1 })).toMatchObject({ labels: [0, 1, 2, 3, 4, 5] });
    expect(method(problemOf(distance, 1), { seed: 1 })).toMatchObject({ labels: [0, 0, 0, 0, 0, 0] });
    expect(method(problemOf(distanceMatrix("uniform", 1, 1), 1), { seed: 1 })).toMatchObject({ labels: [0] });
  });

  test("says why there are no towers", () => {
    const distance = distanceMatrix("uniform", 5, 1);
    expect(method(problemOf(distance, 6), { seed: 1 })).toEqual({
      kind: "none",
      reason: "5 features do not make 6 towers within the size ratio",
    });
    const load = { weights: [1, 1, 1, 1, 9], most: 8 };
    const result = method(problemOf(distance, 2, { load }), { seed: 1 });
    expect(result).toEqual({
      kind: "none",
      reason: expect.stringMatching(/^(no partition was found|a strided tower)/),
    });
  });

  test("takes features that are all alike", () => {
    expect(method(problemOf(new Float64Array(49), 3), { seed: 1 }).kind).toBe("plan");
  });

  test("gives a plan when told to stop at once", () => {
    const problem = problemOf(distanceMatrix("cosine", 30, 1), 5, { ratio: 2 });
    expect(method(problem, { seed: 1, shouldStop: () => true }).kind).toBe("plan");
  });
});

test("tp looks neither at the objective nor at the strategy, but at the distances", () => {
  const distance = distanceMatrix("cosine", 16, 2);
  const pairwise = TOWER_HEURISTICS.tp(problemOf(distance, 4), { seed: 3 });
  expect(TOWER_HEURISTICS.tp(problemOf(distance, 4, { objective: "kmeans" }), { seed: 3 })).toEqual(pairwise);
});

test("tp finds clusters that are there, with every embedding", () => {
  const distance = Float64Array.from({ length: 15 ** 2 }, (_, at) => {
    const [i, j] = [Math.floor(at / 15), at % 15];
    return i === j ? 0 : i % 3 === j % 3 ? 0.05 : 0.95;
  });
  const clusters = Array.from({ length: 15 }, (_, i) => i % 3);
  for (const embedding of EMBEDDING_METHODS) {
    for (const dimensions of [2, 3]) {
      const result = TOWER_HEURISTICS.tp(problemOf(distance, 3), { seed: 1, embedding, dimensions });
      expect(result).toMatchObject({ kind: "plan", labels: clusters, embedding: { dimensions } });
    }
  }
});

test("tp with 20 restarts on 26 features asks few times whether to stop", () => {
  const problem = problemOf(distanceMatrix("cosine", 26, 1), 8);
  let asked = 0;
  for (const seed of [1, 2, 3, 4]) TOWER_HEURISTICS.tp(problem, { seed, shouldStop: () => ++asked < 0 });
  expect(asked / 4).toBeLessThan(25_000);
});

test("tp-swap is never worse than tp, and on the whole better; more restarts of swap are never worse", () => {
  let better = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const problem = problemOf(distanceMatrix("cosine", 18, seed), 6, { objective: seed % 2 ? "kmeans" : "pairwise" });
    const numbers = descentProblem(problem);
    const value = (name: TowerHeuristicName, restarts: number) => {
      const result = TOWER_HEURISTICS[name](problem, { seed: 1, restarts });
      return result.kind === "plan" ? partitionValue(numbers, result.labels) : Number.POSITIVE_INFINITY;
    };
    const [tp, both] = [value("tp", 5), value("tp-swap", 5)];
    expect(both).toBeLessThanOrEqual(tp * (1 + 1e-12));
    if (both < 0.999 * tp) better++;
    expect(value("swap", 30)).toBeLessThanOrEqual(value("swap", 3));
  }
  expect(better).toBeGreaterThan(4);
});

test("restarts and dimensions are positive integers", () => {
  const problem = problemOf(distanceMatrix("uniform", 5, 1), 2);
  for (const restarts of [0, -1, 1.5]) {
    expect(() => TOWER_HEURISTICS.tp(problem, { seed: 1, restarts })).toThrow(
      `restarts must be a positive integer, not ${restarts}`,
    );
    expect(() => TOWER_HEURISTICS.swap(problem, { seed: 1, restarts })).toThrow(RangeError);
  }
  expect(() => TOWER_HEURISTICS["tp-swap"](problem, { seed: 1, dimensions: 0 })).toThrow(
    "dimensions must be a positive integer, not 0",
  );
});

test("a load is kept to exactly", () => {
  // In exact arithmetic 0.1 + 0.2 is more than 0.3, of the doubles that are nearest to them; in doubles too.
  const problem = (most: number) => problemOf(new Float64Array(9), 2, { load: { weights: [0.1, 0.2, 0.25], most } });
  expect(keepsToLoad(problem(0.3), [0, 0, 1])).toBe(false);
  expect(keepsToLoad(problem(0.30000000000000004), [0, 0, 1])).toBe(true);
  expect(keepsToLoad(problem(0.3), [0, 1, 1])).toBe(false);
});

test("a search that goes over the load by rounding is held to a smaller one", () => {
  const problem = problemOf(new Float64Array(9), 2, { load: { weights: [0.1, 0.2, 0.25], most: 0.3 } });
  const asked: number[] = [];
  const found = searchWithinLoad(problem, ({ load }) => {
    asked.push(load?.most as number);
    return { labels: asked.length === 1 ? [0, 0, 1] : [0, 1, 1] };
  });
  expect(asked[0]).toBeGreaterThan(0.3);
  expect(asked[1]).toBeLessThan(0.3);
  expect(found).toBeNull();
});
