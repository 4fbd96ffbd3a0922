import { expect, test } from "vitest";
import { askSolver } from "../../../../src/search/exact-milp/claims.js";
import { Work } from "../../../../src/search/work.js";
import { knapsacks } from "../../../support/knapsacks.js";

const program = knapsacks(5, 40);

/** What HiGHS says after so many units, with an hour to say it in. */
async function asked(units: number) {
  const work = new Work();
  const answer = await askSolver("highs", program, { units, timeLimitSeconds: 3600, seed: 0 }, work);
  if (!("claim" in answer)) throw new Error(answer.failure);
  const { seconds: _, ...claim } = answer.claim;
  return { claim, done: work.done };
}

test("HiGHS ends after so much work and not after so many seconds, with the same claim every time", async () => {
  const { claim, done } = await asked(100);
  expect(claim).toMatchObject({ status: "feasible", limitReached: "iterations" });
  expect(done).toBeGreaterThanOrEqual(100);
  expect(done).toBeLessThan(200);
  expect(await asked(100)).toEqual({ claim, done });
  const more = await asked(300);
  expect(more.done).toBeGreaterThan(done);
  expect(more.claim.primalBound).toBeGreaterThanOrEqual(claim.primalBound as number);
});
