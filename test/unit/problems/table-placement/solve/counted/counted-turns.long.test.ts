import { expect } from "vitest";
import { countedProgram } from "../../../../../../models/table-placement/counted-program.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { provedProgram } from "../../../../../../models/table-placement/proved-program.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { solvePlacement } from "../../../../../../src/problems/table-placement/solve/solve.js";
import { programHash } from "../../../../../../src/program/hash.js";
import { type Draw, drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { testInTurn } from "../../../../../support/draws.js";
import { likeTables, placementCount } from "../../../../../support/like-tables.js";
import { bestPlacement } from "../../../../../support/tiny-placement.js";

/** The same with what the counted program leaves out: tables that belong together or apart, and devices that some may use. */
function tied(problem: PlacementProblem, draw: Draw): PlacementProblem {
  const pair = [[0, 1]];
  const kind = draw.int(0, 3);
  if (kind === 1) return { ...problem, together: pair };
  if (kind === 2) return { ...problem, apart: pair };
  if (kind === 3) {
    const tables = problem.tables.map((table, t) =>
      t === 0 ? { ...table, devices: [problem.hbmBytes.length - 1] } : table,
    );
    return { ...problem, tables };
  }
  return problem;
}

// Without the strategies that prove such small problems first.
const OTHERS = ["guided search", "lifting", "pattern bounds", "base tree", "branch and bound"];

testInTurn(
  "with like tables counted alone no bound is above the optimum, whatever else ties them, and a verifier finds its program",
  async () => {
    let [solved, counted, proved] = [0, 0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const draw = drawFrom(seed);
      const problem = tied(likeTables(draw), draw);
      if (placementCount(problem) > 20_000) continue;
      const best = bestPlacement(problem);
      if (best === null) continue;
      const { verdict, certificate, placement } = await solvePlacement(problem, {
        ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: 60, workSeconds: 0.1, mostUnits: 60, seed: 0 },
        ...{ takesCounted: true, without: new Set(OTHERS) },
      });
      solved++;
      expect(verdict?.bound?.compare(Rational.fromNumber(best.largest)), `seed ${seed}`).not.toBe(1);
      if (placement !== null) expect(evaluatePlacement(problem, placement).violations, `seed ${seed}`).toEqual([]);
      const names = [false, true]
        .map((hasMemory) => countedProgram(problem, hasMemory))
        .map((own) => own && programHash(own.program));
      if (certificate === null || !names.includes(certificate.program)) continue;
      counted++;
      expect(programHash(provedProgram(problem, { certificate }).program), `seed ${seed}`).toBe(certificate.program);
      if (verdict?.status === "proved") {
        proved++;
        expect(verdict.value?.toNumber(), `seed ${seed}`).toBe(best.largest);
      }
    }
    expect(solved).toBeGreaterThan(15);
    expect(counted).toBeGreaterThan(2);
    expect(proved).toBeGreaterThan(0);
  },
  300_000,
);
