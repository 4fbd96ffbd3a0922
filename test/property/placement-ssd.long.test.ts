import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import {
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../../src/problems/table-placement/methods/index.js";
import { placeByGoals } from "../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { drawsOf } from "../support/draws.js";
import { randomPlacementProblem, withSsds } from "../support/random-placement.js";
import { bestByGoals, goalsOf, tinyGoalPlacement } from "../support/tiny-placement.js";
import { expectOptimum } from "../support/within-gap.js";

const draws = drawsOf(240, 31);
const goals = drawsOf(120, 0);
const MAX_COMBINATIONS = 4_000;
const ASKED = { gap: Rational.of(1n, 10n ** 9n), timeLimitSeconds: 20, seed: 0 } as const;

const random = seededRandom(draws.seed);
const problems: PlacementProblem[] = [];
while (problems.length < draws.amount) {
  const problem = withSsds(randomPlacementProblem(random), random);
  const count = combinations(problem);
  if (count > 0 && count <= MAX_COMBINATIONS) problems.push(problem);
}
const optima = problems.map((problem) => bruteForcePlacement(problem)?.largest ?? null);

test("SSDs decide many of the problems", () => {
  const without = problems.map(({ ssdBytes: _, ...problem }) => bruteForcePlacement(problem)?.largest ?? null);
  const isOther = optima.map((optimum, k) => optimum?.toString() !== without[k]?.toString());
  expect(isOther.filter(Boolean).length).toBeGreaterThanOrEqual(draws.atLeast(32));
  // Dearer with SSDs, or not possible with them.
  expect(optima.filter((optimum, k) => optimum !== null && isOther[k]).length).toBeGreaterThanOrEqual(
    draws.atLeast(14),
  );
});

test("the optimum within the SSDs is found and proved, or that there is no plan", { timeout: 300_000 }, async () => {
  for (const [k, problem] of problems.entries()) {
    const { verdict, placement } = await solvePlacement(problem, ASKED);
    expectOptimum(verdict, optima[k] as Rational | null, ASKED.gap, `problem ${k}`);
    if (placement !== null) expect(evaluatePlacement(problem, placement).violations, `problem ${k}`).toEqual([]);
  }
});

test("goals and limited moves within the SSDs are proved", { timeout: 300_000 }, async () => {
  let infeasible = 0;
  for (const seed of goals.seeds) {
    const problem = withSsds(tinyGoalPlacement(drawFrom(seed)), seededRandom(seed));
    const best = bestByGoals(problem);
    const {
      verdict,
      stages: [, second],
      placement,
    } = await placeByGoals(problem, ASKED);
    if (best === null) infeasible++;
    expect(verdict?.status, `seed ${seed}`).toBe(best === null ? "infeasible" : "proved");
    expect(verdict?.value?.toNumber() ?? null, `seed ${seed}`).toBe(best?.first ?? null);
    expect(second?.verdict.value?.toNumber() ?? null, `seed ${seed}`).toBe(best?.second ?? null);
    if (best === null) continue;
    expect(evaluatePlacement(problem, placement as Placement).violations, `seed ${seed}`).toEqual([]);
    expect(goalsOf(problem, placement as Placement), `seed ${seed}`).toEqual(best);
  }
  expect(infeasible).toBeGreaterThanOrEqual(goals.atLeast(32));
  expect(infeasible).toBeLessThanOrEqual(goals.atMost(79));
});

test.each(Object.keys(tablePlacementHeuristics) as TablePlacementHeuristicName[])("%s keeps to the SSDs", (method) => {
  let plans = 0;
  for (const [k, problem] of problems.entries()) {
    const { tables, together, apart } = problem;
    if (together.length + apart.length > 0 || tables.some(({ devices }) => devices !== null)) continue;
    const features = tables.map(({ name }) => ({ name, features: null }));
    const result = tablePlacementHeuristics[method](problem, { seed: 1, instance: { tables: features } });
    if (result.kind !== "plan") continue;
    plans++;
    const { violations, largest } = evaluatePlacement(problem, result.placement);
    expect(violations, `problem ${k}`).toEqual([]);
    expect(largest.compare(optima[k] as Rational), `problem ${k}`).toBeGreaterThanOrEqual(0);
  }
  if (method.startsWith("torchrec")) expect(plans).toBeGreaterThanOrEqual(draws.atLeast(11));
});
