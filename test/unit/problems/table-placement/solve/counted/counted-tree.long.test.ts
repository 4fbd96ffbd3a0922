import { expect, test } from "vitest";
import { type CountedProgram, countedProgram } from "../../../../../../models/table-placement/counted-program.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import { placementProblem } from "../../../../../../models/table-placement/from-instance.js";
import { provedProgram } from "../../../../../../models/table-placement/proved-program.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import type { TablePlacementInstance } from "../../../../../../src/instance/types/table-placement.js";
import { loadInstance } from "../../../../../../src/problems/planning/instances.js";
import { CountedRelaxation } from "../../../../../../src/problems/table-placement/solve/counted/counted-relaxation.js";
import {
  type CountedAnswer,
  CountedTree,
} from "../../../../../../src/problems/table-placement/solve/counted/counted-tree.js";
import { solvePlacement } from "../../../../../../src/problems/table-placement/solve/solve.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { CertificateError } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { testInTurn } from "../../../../../support/draws.js";
import { likeTables, placementCount } from "../../../../../support/like-tables.js";
import { bestPlacement } from "../../../../../support/tiny-placement.js";

async function decided(program: CountedProgram, limit: number): Promise<CountedAnswer> {
  const relaxation = await CountedRelaxation.open(program, Rational.fromNumber(limit));
  const answer = new CountedTree(relaxation).run();
  relaxation.dispose();
  return answer;
}

/** The bound that the checker accepts. */
function checked({ program }: CountedProgram, limit: number, answer: CountedAnswer): Rational | null {
  if (answer.kind !== "refuted") throw new Error(answer.kind);
  return checkCertificate(program, {
    ...{ format: "shardproof-certificate 1", program: programHash(program) },
    ...{ claim: { kind: "bound", bound: Rational.fromNumber(limit).toString() }, steps: answer.steps },
  }).bound;
}

test("no limit above the optimum is refuted, most just below it are, and their proofs are accepted", async () => {
  let [asked, refuted] = [0, 0];
  for (let seed = 0; seed < 150; seed++) {
    const problem = likeTables(drawFrom(seed));
    if (placementCount(problem) > 20_000) continue;
    const best = bestPlacement(problem);
    if (best === null || best.largest === 0) continue;
    for (const hasMemory of [false, true]) {
      const program = countedProgram(problem, hasMemory);
      if (program === null) continue;
      const above = await decided(program, best.largest * 1.01);
      if (above.kind === "refuted") {
        expect(() => checked(program, best.largest * 1.01, above), `seed ${seed}`).toThrow(CertificateError);
      }
      const limit = best.largest * (hasMemory ? 0.999 : 0.9);
      const below = await decided(program, limit);
      asked++;
      if (below.kind !== "refuted") continue;
      refuted++;
      expect(checked(program, limit, below)?.toNumber(), `seed ${seed}`).toBeGreaterThanOrEqual(limit);
    }
  }
  expect(asked).toBeGreaterThan(60);
  expect(refuted).toBeGreaterThan(0.7 * asked);
}, 300_000);

test("T510: 78 ms is refuted, and below 78.48 ms a placement is found", async () => {
  const problem = await published("hugectr-t510");
  const program = countedProgram(problem, false) as CountedProgram;
  expect(checked(program, 78, await decided(program, 78))?.toNumber()).toBe(78);
  const found = await decided(program, 78.48);
  if (found.kind !== "found") throw new Error(found.kind);
  const { violations, largest } = evaluatePlacement(problem, program.placementOf(found.counts));
  expect(violations).toEqual([]);
  expect(largest.toNumber()).toBeLessThan(78.48);
}, 300_000);

test("few shards on eight devices: a placement below a limit, which rounding patterns does not find", async () => {
  const problem = await published("nvidia-synthetic-small");
  const program = countedProgram(problem, true) as CountedProgram;
  const found = await decided(program, 2.5478);
  if (found.kind !== "found") throw new Error(found.kind);
  const { violations, largest } = evaluatePlacement(problem, program.placementOf(found.counts));
  expect(violations).toEqual([]);
  expect(largest.toNumber()).toBeLessThan(2.5478);
}, 300_000);

testInTurn(
  "a plan's bound is of the counted program where that is best, and names it",
  async () => {
    const problem = await published("nvidia-synthetic-jumbo");
    const { direct, certificate, verdict } = await solvePlacement(problem, {
      ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: 120, mostUnits: 12_000, workSeconds: 20, seed: 0 },
      takesCounted: true,
    });
    const counted = countedProgram(problem, false) as CountedProgram;
    expect(certificate?.program).toBe(programHash(counted.program));
    expect(programHash(direct.program)).toBe(certificate?.program);
    expect(programHash(provedProgram(problem, { certificate }).program)).toBe(certificate?.program);
    expect(verdict?.bound?.toNumber()).toBeGreaterThan(81.27);
  },
  300_000,
);

async function published(name: string) {
  return placementProblem((await loadInstance(`instances/public/${name}.yaml`)) as TablePlacementInstance);
}
