import { expect, test } from "vitest";
import { Reach } from "../../../../../../src/problems/table-placement/solve/base-tree/reach.js";

test("work grows exponentially with the limit, as the two highest limits decided say", () => {
  const reach = new Reach();
  expect(reach.lastUnits).toBe(0);
  reach.learn(5.2, 1000);
  expect(reach.units(5.3)).toBeNull();
  reach.learn(5.1, 500);
  reach.learn(4, 1e6);
  expect(reach.units(5.3)).toBeCloseTo(2000);
  expect(reach.units(5.5)).toBeCloseTo(8000);
});

test("a limit decided twice, and one that took less than a lower one, say nothing of growth", () => {
  const reach = new Reach();
  reach.learn(5.2, 1000);
  reach.learn(5.2, 900);
  expect(reach.units(5.3)).toBeNull();
  reach.learn(5.1, 4000);
  expect(reach.units(5.3)).toBeCloseTo(1000);
});

test("what is open after so much work takes at least as much again", () => {
  const reach = new Reach();
  reach.learn(5.1, 500);
  reach.learn(5.2, 1000);
  expect(reach.lastUnits).toBe(1000);
  reach.learnOpen(5.3, 500);
  expect(reach.hasBegun(5.3)).toBe(true);
  expect(reach.hasBegun(5.4)).toBe(false);
  expect(reach.units(5.3)).toBeCloseTo(1500);
  reach.learnOpen(5.3, 6000);
  expect(reach.units(5.3)).toBeCloseTo(6000);
  expect(reach.units(5.4)).toBeCloseTo(4000);
});
