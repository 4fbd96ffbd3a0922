import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { writePlan } from "../../../../../src/plan-file/write-plan.js";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import { anneal } from "../../../../../src/problems/table-placement/solve/goals/anneal.js";
import { goalMeasure } from "../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { planTablePlacement } from "../../../../../src/problems/table-placement/solve/plan.js";
import { drawFrom } from "../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../support/draws.js";
import { bestByGoals, goalsOf, tinyGoalPlacement } from "../../../../support/tiny-placement.js";

test("annealing alone finds most optima of random problems, and never what breaks a limit", () => {
  let [feasible, optimal, optimalSecond, second] = [0, 0, 0, 0];
  const draws = drawsOf(200, 9000);
  for (const seed of draws.seeds) {
    const problem = tinyGoalPlacement(drawFrom(seed));
    const best = bestByGoals(problem);
    const options = { seed, steps: 4000, start: null, target: Number.NEGATIVE_INFINITY, shouldStop: () => false };
    const found = anneal(problem, goalMeasure(problem, problem.goal === "phases" ? "phases" : "largest-cost"), options);
    if (best === null) {
      expect(found, `seed ${seed}`).toBeNull();
      continue;
    }
    feasible++;
    if (found === null) continue;
    expect(evaluatePlacement(problem, found).violations, `seed ${seed}`).toEqual([]);
    if (goalsOf(problem, found).first === best.first) optimal++;
    if (problem.thenMinimize === undefined) continue;
    second++;
    const held = [{ goal: "largest-cost", most: Rational.fromNumber(best.first) } as const];
    const then = anneal(problem, goalMeasure(problem, problem.thenMinimize, held), options);
    if (then === null) continue;
    const values = goalsOf(problem, then);
    expect(values.first, `seed ${seed}`).toBe(best.first);
    if (values.second === best.second) optimalSecond++;
  }
  expect(feasible).toBeGreaterThanOrEqual(draws.atLeast(100));
  expect(feasible - optimal).toBeLessThanOrEqual(draws.atMost(4));
  expect(second).toBeGreaterThanOrEqual(draws.atLeast(40));
  expect(second - optimalSecond).toBeLessThanOrEqual(draws.atMost(5));
});

const SECOND = `shardproof: 1
name: x
problem: table-placement
costModel: given
cluster: {nodes: 1, gpusPerNode: 3, hbmBytesPerGpu: 40}
thenMinimize: second-largest
tables:
  - {name: a, cost: 9, bytes: 10}
  - {name: b, cost: 4, bytes: 10}
  - {name: c, cost: 3, bytes: 20}
  - {name: d, cost: 3, bytes: 20}
  - {name: e, cost: 2, bytes: 10}
`;

const second = () => requireInstance(tablePlacementReader, parseInstance(SECOND, "x.yaml"));

test("what all goals ask for is proved, or the plan is not called so", async () => {
  const plan = await planTablePlacement(second());
  expect([plan.status, plan.objective.value, plan.second?.value, plan.second?.status]).toEqual([
    "proved",
    9,
    6,
    "proved",
  ]);
  // Stopped before the search begins, nothing is proved.
  const stopped = await planTablePlacement(second(), { shouldStop: () => true });
  expect(stopped.status).not.toBe("proved");
  expect(stopped.second?.status ?? null).not.toBe("proved");
});

test("a heuristic's plan has the value of the second goal, without a bound, and verifies", async () => {
  const plan = await planTablePlacement(second(), { method: "size-greedy" });
  expect(plan).toMatchObject({ status: "heuristic", second: { goal: "second-largest", status: null, bound: null } });
  const verified = await verifyPlanText(writePlan(plan), "plan.json", async () => second());
  expect(verified.passed).toBe(true);
});
