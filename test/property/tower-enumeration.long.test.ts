import { afterAll, beforeAll, expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveGrouping } from "../../src/problems/tower-partition/solve/solve.js";
import type { Solver } from "../../src/solvers/claim.js";
import { openSolver } from "../../src/solvers/solver.js";
import { randomInteraction } from "../../src/study/generate/interaction-matrix.js";
import { someOf } from "../support/draws.js";
import { groupsProgram } from "../support/groups-program.js";

let highs: Solver;
beforeAll(async () => {
  highs = await openSolver("highs");
});
afterAll(() => highs.close());

// Features, towers, size ratio: pairs, threes and fours, whose groups are few enough to write all of them out.
const SHAPES = [
  [24, 12, 1],
  [24, 8, 1],
  [25, 9, 1],
  [26, 13, 1],
  [26, 10, 1],
  [26, 14, 2],
] as const;
const cases = SHAPES.flatMap(([features, towers, sizeRatio], k) =>
  (["pairwise", "kmeans"] as const).flatMap((objective) =>
    (["planted", "uniform", "embedded"] as const).map((kind) => ({
      ...{ features, towers, sizeRatio, objective, kind },
      seed: k + 1,
    })),
  ),
);

test.each(someOf(cases, 9))(
  "$features features in $towers, ratio $sizeRatio, $objective, $kind: columns made as they are needed reach the optimum of the program with all",
  async ({ features, towers, sizeRatio, objective, kind, seed }) => {
    const names = Array.from({ length: features }, (_, i) => `f${i}`);
    const grouping = towerGrouping(
      { name: "all", features: names, towers, sizeRatio, strategy: "coherent", objective, load: null },
      randomInteraction({ kind, features, seed }),
    );
    const request = { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed: 0 };
    const [{ verdict }, claim] = [
      await solveGrouping(grouping, request),
      await highs.solve(groupsProgram(grouping), { timeLimitSeconds: 60 }),
    ];
    expect([verdict?.status, claim.status]).toEqual(["proved", "optimal"]);
    const value = verdict?.value?.toNumber() ?? Number.NaN;
    expect(Math.abs((claim.primalBound ?? Number.NaN) / value - 1)).toBeLessThan(1e-8);
  },
  120_000,
);
