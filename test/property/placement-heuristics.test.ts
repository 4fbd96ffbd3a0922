import { describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../models/table-placement/problem.js";
import {
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../../src/problems/table-placement/methods/index.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { bestPlacement, tinyPlacement } from "../support/tiny-placement.js";

const problems = Array.from({ length: 400 }, (_, seed) => withoutConstraints(seed));
const optima = problems.map((problem) => bestPlacement(problem)?.largest ?? null);

test("the problems are of all kinds", () => {
  const feasible = optima.filter((value) => value !== null).length;
  expect(feasible).toBeGreaterThan(100);
  expect(feasible).toBeLessThan(problems.length - 30);
  expect(problems.filter(({ hostIsPooled, hostBytes }) => hostIsPooled && hostBytes !== null).length).toBeGreaterThan(
    30,
  );
});

describe.each(Object.keys(tablePlacementHeuristics) as TablePlacementHeuristicName[])("%s", (name) => {
  const results = problems.map((problem) => tablePlacementHeuristics[name](problem, context(problem)));

  test("finds plans, and every one of them is feasible and no better than the optimum", () => {
    let plans = 0;
    for (const [index, result] of results.entries()) {
      if (result.kind !== "plan") continue;
      plans++;
      const { largest, violations } = evaluatePlacement(problems[index] as PlacementProblem, result.placement);
      expect(violations).toEqual([]);
      expect(optima[index]).not.toBeNull();
      expect(largest.toNumber()).toBeGreaterThanOrEqual(optima[index] as number);
    }
    expect(plans).toBeGreaterThan(20);
  });

  test("finds none at times, and says why", () => {
    const reasons = results.flatMap((result) => (result.kind === "none" ? [result.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toMatch(/^[a-z].*[^.]$/);
  });

  test("gives the same again", () => {
    expect(problems.map((problem) => tablePlacementHeuristics[name](problem, context(problem)))).toEqual(results);
  });
});

/** A tiny problem without what no published method knows. */
function withoutConstraints(seed: number): PlacementProblem {
  const problem = tinyPlacement(drawFrom(seed));
  return {
    ...problem,
    tables: problem.tables.map((table) => ({ ...table, devices: null })),
    together: [],
    apart: [],
  };
}

function context({ tables }: PlacementProblem) {
  const features = tables.map(({ name }, t) => ({
    name,
    features: { rows: 10 + 7 * t, dim: 4 * (1 + (t % 3)), elementBytes: 4, poolingFactor: 1 + ((5 * t) % 4) },
  }));
  return { seed: 1, instance: { tables: features } };
}
