import { expect, test } from "vitest";
import { drawConflictProgram, drawKnapsackProgram } from "../support/cut-programs.js";
import { drawsOf } from "../support/draws.js";
import { tryCuts } from "../support/try-cuts.js";

test.for([0, 1, 2, 3])("corrupt cuts, batch %i", { timeout: 600_000 }, async (batch) => {
  const { seed, amount, atLeast } = drawsOf(300, 1000 + batch * 300);
  const tried = await tryCuts(seed, seed + amount, 6);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBeLessThanOrEqual(2);
  expect(tried.refused).toBeGreaterThan(atLeast(1000));
});

test.for([0, 1])("corrupt cuts of knapsacks, batch %i", { timeout: 600_000 }, async (batch) => {
  const { seed, amount, atLeast } = drawsOf(300, 5000 + batch * 300);
  const tried = await tryCuts(seed, seed + amount, 6, drawKnapsackProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBe(0);
  expect(tried.knapsacks).toBeGreaterThan(atLeast(150));
  expect(tried.refused).toBeGreaterThan(atLeast(1000));
});

test("corrupt cliques", { timeout: 600_000 }, async () => {
  const { seed, amount, atLeast } = drawsOf(400, 7000);
  const tried = await tryCuts(seed, seed + amount, 6, drawConflictProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBe(0);
  expect(tried.refused).toBeGreaterThan(atLeast(1000));
});
