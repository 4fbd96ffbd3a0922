import { expect, test } from "vitest";
import { rounded } from "../../../../../../src/problems/table-placement/solve/base-tree/base-bound.js";
import type { BaseDuals } from "../../../../../../src/problems/table-placement/solve/base-tree/base-lp.js";

const duals = (loads: readonly number[]): BaseDuals => ({
  orbits: Float64Array.of(0.75, 0.25),
  loads: Float64Array.from(loads),
  bytes: Float64Array.of(0.5, 0.125),
  loadBases: Float64Array.of(0.5, -0.25),
  hbmBases: Float64Array.of(0, 1),
});

test("multipliers are scaled so that those of loads have the sum 1, in their ratio", () => {
  expect(rounded(duals([0.375, 0.125]))).toEqual({
    orbits: Float64Array.of(1.5, 0.5),
    loads: Float64Array.of(0.75, 0.25),
    bytes: Float64Array.of(1, 0.25),
    loadBases: Float64Array.of(1, -0.5),
    hbmBases: Float64Array.of(0, 2),
  });
});

test("where memory alone leaves nothing, loads count a little beside it", () => {
  const { loads, orbits, bytes } = rounded(duals([0, 0]));
  expect(loads).toEqual(Float64Array.of(0.5, 0.5));
  expect((orbits[0] as number) / (bytes[0] as number)).toBe(1.5);
  expect(bytes[0]).toBeGreaterThan(1000);
});
