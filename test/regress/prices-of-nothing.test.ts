import { expect, test } from "vitest";
import { Tally } from "../fuzz/attack/tally.js";
import { placements } from "../fuzz/drawn/placements.js";

// Patterns were refused at prices of 0 alone, in shares of their sum: what was to be their proof had numbers that are none.
test("nothing is refused where nothing has a price", async () => {
  const tally = new Tally();
  await placements.round(1085, tally);
  expect(tally.faults).toEqual([]);
  expect(tally.of("verified")).toBe(1);
});
