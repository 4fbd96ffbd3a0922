import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { evaluate } from "../../src/program/evaluate.js";
import { unitClassCount } from "../../src/program/ladder/ladder.js";
import type { Solver } from "../../src/solvers/claim.js";
import { openSolver } from "../../src/solvers/solver.js";
import { drawsOf } from "../support/draws.js";
import { randomCases } from "../support/random-instance.js";

const cases = fc.sample(randomCases(20_000, { farApart: false }), drawsOf(220, 7).parameters);

describe.each(["highs", "glpk"])("%s agrees with the special algorithm", (name) => {
  let solver: Solver | undefined;
  afterAll(async () => solver?.close());

  test(`on ${cases.length} random row-tiers programs`, async () => {
    solver ??= await openSolver(name);
    let feasible = 0;
    for (const { instance, access } of cases) {
      const model = buildRowTiers(instance, access);
      const { verdict } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 30 });
      const claim = await solver.solve(model.program, { timeLimitSeconds: 30 });
      if (verdict.status === "infeasible") {
        expect(claim.status).toBe("infeasible");
        continue;
      }
      feasible++;
      const value = (verdict.value as Rational).toNumber();
      expect(claim.status).toBe("optimal");
      expect(Math.abs((claim.primalBound as number) - value)).toBeLessThanOrEqual(1e-7 * (1 + Math.abs(value)));
      // The claimed point, rounded to integers, is feasible and as good in exact arithmetic.
      const counts = Float64Array.from({ length: unitClassCount(model.ladder) * model.ladder.tiers.length }, (_, j) =>
        Math.round((claim.point as Float64Array)[j] as number),
      );
      const { counts: units, auxiliaries } = model.complete(counts);
      const point = [...[...units].map(Rational.fromNumber), ...auxiliaries];
      const { objective, violations } = evaluate(model.program, point);
      expect(violations).toEqual([]);
      expect(objective.toString()).toBe(verdict.value?.toString());
    }
    expect(feasible).toBeGreaterThanOrEqual(drawsOf(220, 7).atLeast(111));
  }, 300_000);
});
