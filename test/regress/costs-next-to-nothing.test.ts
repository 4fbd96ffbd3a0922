import { expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { short } from "../../src/problems/table-placement/solve/bounds/pattern-proof.js";
import { shortDuals } from "../../src/problems/tower-partition/solve/exact-pricing.js";
import { solveGrouping } from "../../src/problems/tower-partition/solve/solve.js";

/*
 * Dual values were rounded to multiples of a power of two that was zero beside the least doubles: NaN, and an internal error.
 */

test("interactions of the least doubles have their best partition", async () => {
  const grouping = {
    ...{ name: "tiny", elements: ["a", "b", "c", "d"], clusters: 3, share: "whole" as const, load: null },
    windows: [{ least: 1, most: 2 }],
    pairs: [1e-322, 1e-322, 1e-322, 5e-324, 5e-324, 1e-322].map(Rational.fromNumber),
  };
  const { verdict } = await solveGrouping(grouping, { starts: [], gap: Rational.zero, timeLimitSeconds: 20, seed: 0 });
  expect([verdict?.status, verdict?.bound?.toString()]).toEqual(["proved", Rational.fromNumber(5e-324).toString()]);
});

test("dual values and multipliers of the least doubles are rounded", () => {
  expect(shortDuals({ elements: Float64Array.of(5e-324, 1e-322), sets: [] }).elements[0]?.toNumber()).toBe(5e-324);
  expect(short(5e-324).toNumber()).toBe(5e-324);
});
