import { expect, test } from "vitest";
import { directProgram } from "../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { Probing } from "../../../../../src/problems/table-placement/solve/probing.js";
import { programHash } from "../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { Work } from "../../../../../src/search/work.js";
import { drawFrom } from "../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../support/draws.js";
import { bestPlacement, tinyPlacement } from "../../../../support/tiny-placement.js";

const JUST = 1e-6;
const never = () => false;

test("below the optimum probing proves what it says, above it finds a placement, whatever ties tables and memory", async () => {
  const counts = { proved: 0, found: 0, tied: 0 };
  const draws = drawsOf(400, 0);
  for (const seed of draws.seeds) {
    const problem = tinyPlacement(drawFrom(seed));
    const best = bestPlacement(problem)?.largest ?? 0;
    if (best === 0 || problem.goal === "phases" || problem.stay !== undefined) continue;
    const direct = directProgram(problem);
    for (const part of [1 - JUST, 1 + JUST]) {
      const probing = new Probing(problem, direct, new Work(), Number.POSITIVE_INFINITY);
      const { proof, found } = await probing.below(part * best, never);
      if (found !== null) {
        expect(part, `seed ${seed}`).toBeGreaterThan(1);
        expect(evaluatePlacement(problem, found).violations).toEqual([]);
        counts.found++;
      }
      if (proof === null) continue;
      const claim = proof.claim as Rational;
      expect(claim.compare(Rational.fromNumber(best * (1 + 1e-12))), `seed ${seed}`).toBeLessThanOrEqual(0);
      const certificate = {
        ...{ format: "shardproof-certificate 1" as const, program: programHash(direct.program), steps: proof.steps },
        claim: { kind: "bound" as const, bound: claim.toString() },
      };
      expect(() => checkCertificate(direct.program, certificate), `seed ${seed} at ${part}`).not.toThrow();
      counts.proved++;
      if (problem.together.length + problem.apart.length > 0) counts.tied++;
    }
  }
  expect(counts.proved).toBeGreaterThanOrEqual(draws.atLeast(100));
  expect(counts.found).toBeGreaterThanOrEqual(draws.atLeast(40));
  expect(counts.tied).toBeGreaterThanOrEqual(draws.atLeast(20));
});
