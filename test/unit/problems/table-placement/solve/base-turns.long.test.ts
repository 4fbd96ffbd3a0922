import { afterEach, expect, test, vi } from "vitest";
import { drawnPlacement } from "../../../../../bench/drawn-instances.js";
import { Rational } from "../../../../../src/exact/rational.js";
import type { BaseLadder } from "../../../../../src/problems/table-placement/solve/base-tree/base-ladder.js";
import { BaseTurns } from "../../../../../src/problems/table-placement/solve/base-turns.js";
import { BestBound } from "../../../../../src/problems/table-placement/solve/best-bound.js";
import { solvePlacement } from "../../../../../src/problems/table-placement/solve/solve.js";

afterEach(() => vi.restoreAllMocks());

test("where the checker refuses the best bound of a turn, the one before it is offered", async () => {
  const problem = drawnPlacement({ tables: 12, nodes: 2, gpus: 4, seed: 3 });
  const offer = BestBound.prototype.offer;
  const offered: number[] = [];
  const refused: number[] = [];
  vi.spyOn(BestBound.prototype, "offer").mockImplementation(function (this: BestBound, proof, program) {
    const claim = proof.claim?.toNumber() as number;
    offered.push(claim);
    // The first of a tree.
    if (refused.length === 0 && proof.steps.length > 100) refused.push(claim);
    else offer.call(this, proof, program);
  });
  const how = { gap: Rational.parse("1e-9"), seed: 0, timeLimitSeconds: 60, mostUnits: 1200 };
  const { verdict } = await solvePlacement(problem, how);
  const at = offered.indexOf(refused[0] as number);
  const [before, after] = [Math.max(...offered.slice(0, at)), offered[at + 1] as number];
  expect(after).toBeGreaterThan(before);
  expect(after).toBeLessThan(offered[at] as number);
  expect(verdict?.bound?.toNumber()).toBeGreaterThanOrEqual(after);
});

test("relaxations that have ended leave placements to be looked for, unless the bound is near or memory ample", () => {
  const ladder = { applies: () => false, hasEnded: true, isRelaxing: false } as unknown as BaseLadder;
  expect(new BaseTurns(false, ladder, true).leads(98, 100)).toBe(true);
  expect(new BaseTurns(false, ladder, true).leads(99.9, 100)).toBe(false);
  expect(new BaseTurns(false, ladder, false).leads(98, 100)).toBe(false);
  const going = { ...ladder, hasEnded: false } as unknown as BaseLadder;
  expect(new BaseTurns(false, going, true).leads(98, 100)).toBe(false);
});
