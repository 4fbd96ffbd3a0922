import { expect, test } from "vitest";
import { drawConflictProgram, drawKnapsackProgram } from "../support/cut-programs.js";
import { tryCuts } from "../support/try-cuts.js";

test("what is proved with cuts is true, in VIPR too, and no corrupt cut is accepted that is false", async () => {
  const tried = await tryCuts(0, 30, 4);
  expect(tried.wrong).toEqual([]);
  expect(tried.cuts).toBeGreaterThan(15);
  expect(tried.refused).toBeGreaterThan(50);
});

test("cuts of knapsacks", async () => {
  const tried = await tryCuts(0, 30, 4, drawKnapsackProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.knapsacks).toBeGreaterThan(15);
  expect(tried.vipr).toBeGreaterThan(15);
  expect(tried.unwritten).toBe(0);
  expect(tried.refused).toBeGreaterThan(50);
});

test("cliques", async () => {
  const tried = await tryCuts(0, 40, 4, drawConflictProgram);
  expect(tried.wrong).toEqual([]);
  expect(tried.cuts).toBeGreaterThan(15);
  expect(tried.vipr).toBeGreaterThan(15);
  expect(tried.unwritten).toBe(0);
});
