import { expect, test } from "vitest";
import { directProgram } from "../../../../../models/table-placement/direct-program.js";
import { reduceOptions } from "../../../../../src/problems/table-placement/solve/bounds/reduction.js";
import { reducedBound } from "../../../../../src/problems/table-placement/solve/bounds/reduction-steps.js";
import { programHash } from "../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { drawFrom } from "../../../../fuzz/oracle/draw.js";
import { bestPlacement, tinyPlacement } from "../../../../support/tiny-placement.js";

const SEEDS = 500;
const JUST = 1e-6;

test("what leaving out options refutes, by cost or by memory, is below the optimum, and the checker says so too", () => {
  let [refuted, byMemory] = [0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const problem = tinyPlacement(drawFrom(seed));
    const best = bestPlacement(problem)?.largest ?? 0;
    if (best === 0) continue;
    const direct = directProgram(problem);
    for (const part of [0.5, 0.8, 1 - JUST, 1 + JUST]) {
      const limit = part * best;
      const reduction = reduceOptions(problem, limit);
      if (reduction.bound < limit) continue;
      expect(limit, `seed ${seed}`).toBeLessThanOrEqual(best);
      const { claim, steps } = reducedBound(problem, direct, reduction, limit);
      const certificate = {
        ...{ format: "shardproof-certificate 1" as const, program: programHash(direct.program), steps },
        claim: { kind: "bound" as const, bound: String(claim) },
      };
      expect(() => checkCertificate(direct.program, certificate), `seed ${seed} at ${part}`).not.toThrow();
      refuted++;
      if (reduction.rounds.some(({ hbm }) => hbm > 0)) byMemory++;
    }
  }
  expect(refuted).toBeGreaterThan(100);
  expect(byMemory).toBeGreaterThan(20);
});
