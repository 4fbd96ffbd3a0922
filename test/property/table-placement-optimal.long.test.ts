import { expect, test } from "vitest";
import { evaluatePlacement, goalValue } from "../../models/table-placement/evaluate.js";
import type { Placement } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import { placeByGoals } from "../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { drawsOf } from "../support/draws.js";
import { withBases, withExtremeNumbers } from "../support/extreme-numbers.js";
import {
  bestByGoals,
  bestByStages,
  bestPlacement,
  forEachPlacement,
  goalsOf,
  tinyGoalPlacement,
  tinyPlacement,
  tinyStagedPlacement,
} from "../support/tiny-placement.js";

const optima = drawsOf(600, 1000);

test(`the optimum of ${optima.amount} random problems is found and proved, or that there is none`, {
  timeout: 300_000,
}, async () => {
  let infeasible = 0;
  for (const seed of optima.seeds) {
    const problem = tinyPlacement(drawFrom(seed));
    const best = bestPlacement(problem);
    const solution = await solvePlacement(problem, { gap: Rational.of(1n, 10n ** 9n), timeLimitSeconds: 20, seed: 0 });
    if (best === null) {
      infeasible++;
      expect(solution.verdict?.status, `seed ${seed}`).toBe("infeasible");
      continue;
    }
    expect(solution.verdict?.status, `seed ${seed}`).toBe("proved");
    expect(solution.verdict?.value?.toNumber(), `seed ${seed}`).toBe(best.largest);
    const { largest, violations } = evaluatePlacement(problem, solution.placement as Placement);
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(largest.toNumber(), `seed ${seed}`).toBe(best.largest);
  }
  expect(infeasible).toBeGreaterThanOrEqual(optima.atLeast(51));
});

const goals = drawsOf(600, 5000);

test(`the goals of ${goals.amount} random problems are proved, with limited moves or that there is no plan`, {
  timeout: 300_000,
}, async () => {
  const seen = { infeasible: 0, stay: 0, phases: 0, sum: 0, "second-largest": 0 };
  for (const seed of goals.seeds) {
    const problem = tinyGoalPlacement(drawFrom(seed));
    const best = bestByGoals(problem);
    const solution = await placeByGoals(problem, { gap: Rational.of(1n, 10n ** 9n), timeLimitSeconds: 20, seed: 0 });
    if (best === null) {
      seen.infeasible++;
      expect(solution.verdict?.status, `seed ${seed}`).toBe("infeasible");
      continue;
    }
    if (problem.stay !== undefined) seen.stay++;
    if (problem.goal === "phases") seen.phases++;
    if (problem.thenMinimize !== undefined) seen[problem.thenMinimize]++;
    expect(solution.verdict?.status, `seed ${seed}`).toBe("proved");
    expect(solution.verdict?.value?.toNumber(), `seed ${seed}`).toBe(best.first);
    expect(solution.stages[1]?.verdict.value?.toNumber() ?? null, `seed ${seed}`).toBe(best.second);
    expect(solution.stages[1]?.verdict.status ?? "proved", `seed ${seed}`).toBe("proved");
    const placement = solution.placement as Placement;
    const { objective, sum, secondLargest, violations } = evaluatePlacement(problem, placement);
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(objective.toNumber(), `seed ${seed}`).toBe(best.first);
    expect(goalsOf(problem, placement), `seed ${seed}`).toEqual(best);
    const second = { sum, "second-largest": secondLargest };
    if (problem.thenMinimize !== undefined) {
      expect(second[problem.thenMinimize].toNumber(), `seed ${seed}`).toBe(best.second);
    }
  }
  for (const [kind, number] of Object.entries(seen)) expect(number, kind).toBeGreaterThanOrEqual(goals.atLeast(41));
});

const staged = drawsOf(400, 15_000);

test(`goals in order are proved, each within what those before it allow: ${staged.amount} random problems`, {
  timeout: 600_000,
}, async () => {
  const seen: Record<string, number> = { infeasible: 0 };
  for (const seed of staged.seeds) {
    const problem = tinyStagedPlacement(drawFrom(seed));
    const best = bestByStages(problem);
    const solution = await placeByGoals(problem, { gap: Rational.zero, timeLimitSeconds: 20, seed: 0 });
    if (best === null) {
      seen.infeasible = (seen.infeasible as number) + 1;
      expect(solution.verdict?.status, `seed ${seed}`).toBe("infeasible");
      continue;
    }
    const stages = problem.stages as NonNullable<typeof problem.stages>;
    for (const [k, { minimize }] of stages.entries()) seen[`${minimize} ${k}`] = (seen[`${minimize} ${k}`] ?? 0) + 1;
    expect(
      solution.stages.map(({ verdict }) => [verdict.status, verdict.value?.toString()]),
      `seed ${seed}`,
    ).toEqual(best.map((value) => ["proved", value.toString()]));
    const found = evaluatePlacement(problem, solution.placement as Placement);
    expect(found.violations, `seed ${seed}`).toEqual([]);
    for (const [k, { minimize }] of stages.entries()) {
      const most = solution.stages[k]?.most as Rational;
      expect(goalValue(problem, minimize, found).compare(most), `seed ${seed}`).toBeLessThanOrEqual(0);
    }
  }
  expect(seen.infeasible).toBeGreaterThanOrEqual(staged.atLeast(41));
  // Every kind of goal as the first, the second and the third.
  if (staged.isWhole) expect(Object.keys(seen).filter((key) => /[012]$/u.test(key))).toHaveLength(24);
});

test("the optimum is found and proved whatever the numbers", { timeout: 300_000 }, async () => {
  for (const seed of drawsOf(40, 9000).seeds) {
    const draw = drawFrom(seed);
    const problem = withBases(withExtremeNumbers(tinyPlacement(draw), draw), draw);
    let best: Rational | null = null;
    forEachPlacement(problem, (placement) => {
      const { objective } = evaluatePlacement(problem, placement);
      if (best === null || objective.compare(best) < 0) best = objective;
    });
    const limits = { timeLimitSeconds: 300, workSeconds: 4, mostUnits: 4000 };
    const { verdict } = await solvePlacement(problem, { gap: Rational.zero, ...limits, seed: 0 });
    // What is not proved by then may be open, and no claim may be false.
    if (verdict === null) continue;
    expect(verdict.status === "infeasible", `seed ${seed}`).toBe(best === null);
    if (best === null) continue;
    if (verdict.status === "proved") expect(verdict.value?.toString(), `seed ${seed}`).toBe(String(best));
    expect((verdict.bound as Rational).compare(best), `seed ${seed}: the bound`).toBeLessThanOrEqual(0);
  }
});
