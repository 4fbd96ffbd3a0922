import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import {
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../../src/problems/table-placement/methods/index.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { methodSuite } from "../support/method-suite.js";
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

methodSuite(Object.keys(tablePlacementHeuristics), {
  models: problems,
  bounds: optima.map((optimum) => (optimum === null ? null : Rational.fromNumber(optimum))),
  run: (method, problem, how) => {
    const heuristic = tablePlacementHeuristics[method as TablePlacementHeuristicName];
    const result = heuristic(problem, { ...context(problem), ...how });
    return result.kind === "plan" ? { kind: "plan", decision: result.placement } : result;
  },
  evaluate: (problem, placement) => {
    const { largest, violations } = evaluatePlacement(problem, placement);
    return { value: largest, violations };
  },
  least: 21,
});

test.each(Object.keys(tablePlacementHeuristics) as TablePlacementHeuristicName[])("%s finds none at times", (name) => {
  const results = problems.map((problem) => tablePlacementHeuristics[name](problem, context(problem)));
  expect(results.some(({ kind }) => kind === "none")).toBe(true);
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
