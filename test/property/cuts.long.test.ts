import { expect, test } from "vitest";
import { drawConflictProgram, drawKnapsackProgram } from "../support/cut-programs.js";
import { tryCuts } from "../support/try-cuts.js";

test.for([0, 1, 2, 3])("corrupt cuts, batch %i", { timeout: 600_000 }, async (batch) => {
  const tried = await tryCuts(1000 + batch * 300, 1300 + batch * 300, 6);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBeLessThanOrEqual(2);
  expect(tried.refused).toBeGreaterThan(1000);
});

test.for([0, 1])("corrupt cuts of knapsacks, batch %i", { timeout: 600_000 }, async (batch) => {
  const tried = await tryCuts(5000 + batch * 300, 5300 + batch * 300, 6, drawKnapsackProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBe(0);
  expect(tried.knapsacks).toBeGreaterThan(150);
  expect(tried.refused).toBeGreaterThan(1000);
});

test("corrupt cliques", { timeout: 600_000 }, async () => {
  const tried = await tryCuts(7000, 7400, 6, drawConflictProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.unwritten).toBe(0);
  expect(tried.refused).toBeGreaterThan(1000);
});
