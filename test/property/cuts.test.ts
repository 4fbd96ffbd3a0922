import { expect, test } from "vitest";
import { tryCuts } from "../support/try-cuts.js";

test("what is proved with cuts is true, in VIPR too, and no corrupt cut is accepted that is false", async () => {
  const tried = await tryCuts(0, 30, 4);
  expect(tried.wrong).toEqual([]);
  expect(tried.cuts).toBeGreaterThan(15);
  expect(tried.refused).toBeGreaterThan(50);
});
