import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { Placement } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import { solvePlacement } from "../../src/optimize/table-placement/solve.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { bestPlacement, tinyPlacement } from "../support/tiny-placement.js";

const PROBLEMS = 600;

test(`the optimum of ${PROBLEMS} random problems is found and proved, or that there is none`, {
  timeout: 300_000,
}, async () => {
  let infeasible = 0;
  for (let seed = 1000; seed < 1000 + PROBLEMS; seed++) {
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
  expect(infeasible).toBeGreaterThan(50);
});
