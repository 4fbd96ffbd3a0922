import { expect, test } from "vitest";
import { towerGrouping, towerProblem } from "../../models/tower-partition/build.js";
import { evaluateTowers } from "../../models/tower-partition/evaluate.js";
import { seededRandom } from "../../src/exact/random.js";
import { TOWER_HEURISTICS, type TowerHeuristicName } from "../../src/problems/tower-partition/methods/index.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { methodSuite } from "../support/method-suite.js";
import { type RandomTowers, randomTowers } from "../support/random-towers.js";

const random = seededRandom(2025);
const instances = Array.from({ length: 300 }, () => randomTowers(random, { features: 8 })).filter(isNotFull);

/**
 * Towers that must be full to the last bit are left out: where weights have too many digits, methods that search in doubles
 * know the load only rounded down.
 */
function isNotFull({ parts, interaction }: RandomTowers): boolean {
  const { load } = parts;
  if (load === null || load.ratio === null || bruteForceTowers(parts, interaction) === null) return true;
  const less = { ...load, ratio: load.ratio * (1 - 1e-9) };
  return bruteForceTowers({ ...parts, load: less }, interaction) !== null;
}

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

const METHODS = Object.keys(TOWER_HEURISTICS) as TowerHeuristicName[];

methodSuite(METHODS, {
  models: cases,
  bounds: cases.map(({ optimum }) => optimum),
  run: (method, { problem }, how) => {
    const result = TOWER_HEURISTICS[method as TowerHeuristicName](problem, how);
    return result.kind === "plan" ? { kind: "plan", decision: result.labels } : result;
  },
  evaluate: ({ grouping }, numbering) => evaluateTowers(grouping, numbering),
  again: 60,
  least: 100,
});

test.each(METHODS)(
  "%s finds towers where there are any, unless a load is in the way of one that does not know it",
  (name) => {
    for (const { problem, grouping, optimum } of cases) {
      const result = TOWER_HEURISTICS[name](problem, { seed: 7 });
      if (result.kind === "plan") expect(new Set(result.labels).size).toBe(grouping.clusters);
      if (optimum === null) expect(result.kind).toBe("none");
      else if (name !== "strided" || grouping.load === null) expect(result.kind).toBe("plan");
    }
  },
);

test("swap finds the optimum of nearly all of them", () => {
  let [found, all] = [0, 0];
  for (const { problem, grouping, optimum } of cases) {
    if (optimum === null) continue;
    all++;
    const result = TOWER_HEURISTICS.swap(problem, { seed: 7 });
    if (result.kind === "plan" && evaluateTowers(grouping, result.labels).value.equals(optimum)) found++;
  }
  expect(found).toBeGreaterThan(0.97 * all);
});
