import { expect, onTestFinished, test, vi } from "vitest";
import { withMemory } from "../../models/table-placement/with-memory.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { solveBudgets } from "../../src/problems/table-placement/frontier/solved-budgets.js";
import { Master } from "../../src/problems/table-placement/solve/patterns/master.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { randomPlacementProblem } from "../support/random-placement.js";

/** The seventh problem from a seed that is small enough and has a plan: costs of many magnitudes. */
function drawn() {
  const random = seededRandom(52627600);
  for (let found = 0; ; ) {
    const problem = randomPlacementProblem(random);
    if (combinations(problem) <= 5000 && bruteForcePlacement(problem) !== null && ++found === 7) return problem;
  }
}

// Prices of the master asked for patterns that it had, thousands of times, for which no work was counted.
test("a pattern that the master has is none that improves it: five seconds of work end", async () => {
  const problem = drawn();
  const model = {
    problem,
    tables: problem.tables.map(({ name }) => ({ name, features: null as never })),
    phases: null,
  };
  const solve = vi.spyOn(Master.prototype, "solve");
  onTestFinished(() => solve.mockRestore());
  const { budgets, missing } = await solveBudgets(model, {
    ...{ points: 5, gap: Rational.parse("1e-9"), seed: 0, timeLimitSeconds: 250, workSeconds: 5 },
    ...{ shouldStop: () => false, onProgress: () => {} },
  });
  expect(missing).toBe(0);
  // 103 once, 26,319 with patterns taken twice.
  expect(solve.mock.calls.length).toBeLessThan(2000);
  for (const { bytes, plan } of budgets) {
    const best = bruteForcePlacement(withMemory(problem, bytes));
    expect(plan?.value.toString()).toBe(best?.largest.toString());
  }
});
