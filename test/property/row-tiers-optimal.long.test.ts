import fc from "fast-check";
import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { rowTiersHeuristics } from "../../src/problems/row-tiers/methods/index.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { evaluateLadder } from "../../src/program/ladder/evaluate.js";
import { bruteForce } from "../support/brute-force.js";
import { drawsOf } from "../support/draws.js";
import { randomCases } from "../support/random-instance.js";

const { parameters } = drawsOf(600, 1);

test("the exact method proves what brute force finds, and no method beats it within the budget", async () => {
  await fc.assert(
    fc.asyncProperty(randomCases(20_000), async ({ instance, access }) => {
      const optimum = bruteForce(instance, access);
      const model = buildRowTiers(instance, access);
      const exact = (await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 30 })).verdict;
      if (optimum === null) {
        expect(exact.status).toBe("infeasible");
        return;
      }
      expect(exact.status).toBe("proved");
      expect(exact.value?.toString()).toBe(optimum.seconds.toString());
      expect(exact.bound?.toString()).toBe(optimum.seconds.toString());

      const gap = Rational.parse("1e-9");
      const near = (await solveRowTiers(model, { gap, timeLimitSeconds: 30 })).verdict;
      expect(near.status).toBe("proved");
      expect((near.value as Rational).compare(optimum.seconds)).toBeGreaterThanOrEqual(0);
      expect((near.bound as Rational).compare(optimum.seconds)).toBeLessThanOrEqual(0);
      expect((near.gap as Rational).compare(gap)).toBeLessThanOrEqual(0);

      for (const heuristic of Object.values(rowTiersHeuristics)) {
        const result = heuristic(instance, access);
        if (result.kind === "not-applicable") continue;
        const { objective, violations } = evaluateLadder(model.ladder, model.pointOf(result.assignment));
        // Over the budget is all that can be wrong with a published method's plan.
        expect(violations.map(({ name }) => name).filter((name) => name !== "memory" && name !== "host")).toEqual([]);
        if (violations.length === 0) expect(objective.compare(optimum.seconds)).toBeGreaterThanOrEqual(0);
      }
    }),
    parameters,
  );
}, 300_000);
