import { afterEach, expect, test, vi } from "vitest";
import { lognormalPlacement } from "../../../../../../bench/drawn-instances.js";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { judgeOf } from "../../../../../../src/problems/table-placement/solve/known-plans.js";
import { LargeShardRelaxation } from "../../../../../../src/problems/table-placement/solve/large-shards/large-shard-relaxation.js";
import { LargeShardTurns } from "../../../../../../src/problems/table-placement/solve/large-shards/large-shard-turns.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { PlacementState } from "../../../../../../src/problems/table-placement/solve/placement-state.js";
import { solvePlacement } from "../../../../../../src/problems/table-placement/solve/solve.js";
import { SolverError } from "../../../../../../src/solvers/solver-error.js";
import { testInTurn } from "../../../../../support/draws.js";

afterEach(() => vi.restoreAllMocks());

const problem = lognormalPlacement(20, 8, 8, 1);

const OTHERS = ["base tree", "option dives", "pattern bounds", "branch and bound", "guided search"];

/** What is proved in so much work by bounds of all devices together, and by what is not left out. */
async function bound(without: readonly string[]): Promise<number> {
  const { verdict } = await solvePlacement(problem, {
    ...{ gap: Rational.zero, seed: 0, timeLimitSeconds: 100, workSeconds: 10, mostUnits: 4000 },
    without: new Set([...without, ...OTHERS]),
  });
  return verdict?.bound?.toNumber() as number;
}

testInTurn("limits are refuted one above the other, and the checker accepts what that proves", async () => {
  const [before, after] = [await bound(["large shards"]), await bound([])];
  expect(after).toBeGreaterThan(1.015 * before);
});

testInTurn("no limit is asked about above one that is open, with shards of the same size", async () => {
  const decide = vi.spyOn(LargeShardRelaxation.prototype, "decide");
  await bound([]);
  const lowest = new Map<unknown, number>();
  let open = 0;
  for (const [k, [claim]] of decide.mock.calls.entries()) {
    const relaxation = decide.mock.contexts[k];
    expect(claim, `limit ${k}`).toBeLessThan(lowest.get(relaxation) ?? Number.POSITIVE_INFINITY);
    const answer = await decide.mock.results[k]?.value;
    if (answer?.kind !== "open") continue;
    open++;
    lowest.set(relaxation, claim);
  }
  expect(open).toBeGreaterThan(2);
  expect(lowest.size).toBe(2);
});

test("it is for one host of like devices, of limited memory", () => {
  const applies = (own: PlacementProblem) => {
    const direct = directProgram(own);
    return new LargeShardTurns(own, direct, null).applies(1, 2);
  };
  expect(applies(problem)).toBe(true);
  expect(applies({ ...problem, nodes: 2, gpusPerNode: 4 })).toBe(false);
  expect(applies({ ...problem, hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY) })).toBe(false);
  expect(applies({ ...problem, hbmBytes: problem.hbmBytes.map((bytes, d) => (d === 0 ? 2 * bytes : bytes)) })).toBe(
    false,
  );
});

test("where HiGHS ends, nothing more is asked", async () => {
  const direct = directProgram(problem);
  const search = new PlacementState(direct, { gap: Rational.zero, seed: 0, timeLimitSeconds: 100 }, judgeOf(problem));
  const { placement } = searchPlacement(problem, { seed: 0, maxRounds: 3 });
  search.incumbent.offer(direct.pointOf(placement as Placement));
  const open = vi.spyOn(LargeShardRelaxation, "open").mockRejectedValue(new SolverError("crash", "aborted"));
  const turns = new LargeShardTurns(problem, direct, null);
  await turns.turn(search);
  await turns.turn(search);
  expect(open).toHaveBeenCalledTimes(1);
  expect([turns.applies(1, 2), turns.hasEnded, turns.isHard]).toEqual([false, true, false]);
});
