import { expect, test } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { Prober } from "../../../../../../src/problems/table-placement/solve/bounds/prober.js";
import { LargeShardTurns } from "../../../../../../src/problems/table-placement/solve/large-shards/large-shard-turns.js";
import { solvePlacement } from "../../../../../../src/problems/table-placement/solve/solve.js";

const problem = lognormalPlacement(20, 8, 8, 1);

/** What is proved in so much work by bounds of all devices together, and by what is not left out. */
async function bound(without: readonly string[]): Promise<number> {
  const { verdict } = await solvePlacement(problem, {
    ...{ gap: Rational.zero, seed: 0, timeLimitSeconds: 100, workSeconds: 10, mostUnits: 4000 },
    without: new Set([...without, "base tree", "pattern bounds", "option tree", "branch and bound", "guided search"]),
  });
  return verdict?.bound?.toNumber() as number;
}

test("limits are refuted one above the other, and the checker accepts what that proves", async () => {
  const [before, after] = [await bound(["large shards"]), await bound([])];
  expect(after).toBeGreaterThan(1.015 * before);
});

test("it is for one host of like devices, of limited memory", () => {
  const applies = (own: PlacementProblem) => {
    const direct = directProgram(own);
    return new LargeShardTurns(own, direct, { prober: new Prober(direct), beside: null }).applies(1, 2);
  };
  expect(applies(problem)).toBe(true);
  expect(applies({ ...problem, nodes: 2, gpusPerNode: 4 })).toBe(false);
  expect(applies({ ...problem, hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY) })).toBe(false);
  expect(applies({ ...problem, hbmBytes: problem.hbmBytes.map((bytes, d) => (d === 0 ? 2 * bytes : bytes)) })).toBe(
    false,
  );
});
