import { describe, expect, test } from "vitest";
import { nearestDouble, Rational } from "../../../../../src/exact/rational.js";
import { Slopes } from "../../../../../src/problems/row-tiers/frontier/break-points.js";

describe("slopes", () => {
  test("the steepest come first, those that doubles cannot tell apart too", () => {
    const big = 10n ** 40n;
    const slopes = new Slopes([big, 3n, big + 1n, big, 1n], [big, 1n, big, big + 1n, 2n ** 1200n]);
    expect([...slopes.steepestFirst()]).toEqual([1, 2, 0, 3, 4]);
  });

  test("equal ones compare as zero, written in other numbers or not", () => {
    const slopes = new Slopes([2n ** 1300n, 2n, 1n], [2n ** 1299n, 1n, 3n]);
    expect(slopes.compareSteepest(0, 1)).toBe(0);
    expect(slopes.compareSteepest(0, 2)).toBeLessThan(0);
    expect(slopes.compareSteepest(2, 1)).toBeGreaterThan(0);
  });
});

describe("quotients", () => {
  test.each([
    ["a third", 1n, 3n],
    ["half-way between two doubles, to even", 2n ** 53n + 1n, 1n],
    ["just above half-way", (2n ** 53n + 1n) * 10n ** 30n + 1n, 10n ** 30n],
    ["just below half-way", (2n ** 53n + 1n) * 10n ** 30n - 1n, 10n ** 30n],
    ["large over large", 10n ** 300n + 7n, 10n ** 299n - 3n],
    ["beyond doubles on both sides", 3n * 10n ** 400n, 7n * 10n ** 399n],
    ["subnormal", 3n, 10n ** 320n],
    ["nearly subnormal", 10n ** 20n, 10n ** 300n + 1n],
    ["huge", 10n ** 290n, 7n],
    ["zero", 0n, 5n],
  ])("%s is rounded once", (_, numerator, denominator) => {
    expect(nearestDouble(numerator, denominator)).toBe(Rational.of(numerator, denominator).toNumber());
  });
});
