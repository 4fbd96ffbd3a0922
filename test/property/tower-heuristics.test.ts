import { describe, expect, test } from "vitest";
import { towerGrouping, towerProblem } from "../../models/tower-partition/build.js";
import { evaluateTowers } from "../../models/tower-partition/evaluate.js";
import { seededRandom } from "../../src/exact/random.js";
import type { Rational } from "../../src/exact/rational.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../../src/problems/tower-partition/methods/index.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { randomTowers } from "../support/random-towers.js";

const random = seededRandom(2024);
// One tower that is full to the last bit is left out: where weights have too many digits, methods that search in doubles know
// the load only rounded down.
const instances = Array.from({ length: 300 }, () => randomTowers(random, { features: 8 })).filter(
  ({ parts }) => parts.towers > 1 || parts.load?.ratio !== 1,
);
const cases = instances.map(({ parts, interaction }) => ({
  parts,
  problem: towerProblem(parts, interaction),
  grouping: towerGrouping(parts, interaction),
  optimum: bruteForceTowers(parts, interaction)?.value ?? null,
}));

test("the instances are of all kinds", () => {
  const feasible = cases.filter(({ optimum }) => optimum !== null);
  expect(feasible.length).toBeGreaterThan(150);
  expect(cases.length - feasible.length).toBeGreaterThan(20);
  expect(feasible.filter(({ grouping }) => grouping.load !== null).length).toBeGreaterThan(20);
  const sizesDiffer = feasible.filter(({ grouping }) => grouping.windows.some(({ least, most }) => most > least + 1));
  expect(sizesDiffer.length).toBeGreaterThan(20);
});

describe.each(Object.keys(TOWER_HEURISTICS) as TowerHeuristicName[])("%s", (name) => {
  const context = { seed: 7 };
  const results = cases.map(({ problem }) => TOWER_HEURISTICS[name](problem, context));

  test("gives towers that are as they must be, and no better than the optimum", () => {
    for (const [index, result] of results.entries()) {
      const { grouping, optimum } = cases[index] as (typeof cases)[number];
      if (result.kind !== "plan") continue;
      const { value, violations } = evaluateTowers(grouping, result.numbering);
      expect(violations).toEqual([]);
      expect(value.compare(optimum as Rational)).toBeGreaterThanOrEqual(0);
      expect(new Set(result.numbering).size).toBe(grouping.groups);
    }
  });

  test("finds towers where there are any, unless a load is in the way of one that does not know it", () => {
    for (const [index, result] of results.entries()) {
      const { grouping, optimum } = cases[index] as (typeof cases)[number];
      if (optimum === null) expect(result.kind).toBe("none");
      else if (name !== "strided" || grouping.load === null) expect(result.kind).toBe("plan");
    }
  });

  test("gives the same again", () => {
    expect(cases.slice(0, 60).map(({ problem }) => TOWER_HEURISTICS[name](problem, context))).toEqual(
      results.slice(0, 60),
    );
  });
});

test("swap finds the optimum of nearly all of them", () => {
  let [found, all] = [0, 0];
  for (const { problem, grouping, optimum } of cases) {
    if (optimum === null) continue;
    all++;
    const result = TOWER_HEURISTICS.swap(problem, { seed: 7 });
    if (result.kind === "plan" && evaluateTowers(grouping, result.numbering).value.equals(optimum)) found++;
  }
  expect(found).toBeGreaterThan(0.97 * all);
});
