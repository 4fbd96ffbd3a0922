import { expect, test } from "vitest";
import { figure3 } from "../../../src/reproduce/flexshard/figure3.js";

test("the break-points are where the curves cross one", () => {
  const { memoryBreakPoint, communicationBreakPoint } = figure3();
  // (6 − 1/32) / 4096, and 1 / (2 · 4096 · 3).
  expect(memoryBreakPoint).toBe(5.96875 / 4096);
  expect(communicationBreakPoint).toBeCloseTo(4.069e-5, 8);
});

test("both curves fall with the row's appearances, memory towards one half", () => {
  const { curve } = figure3();
  for (const [k, point] of curve.entries()) {
    const before = curve[k - 1];
    if (before === undefined) continue;
    expect(point.memory).toBeLessThan(before.memory);
    expect(point.communication).toBeLessThan(before.communication);
  }
  expect(curve.at(-1)?.memory).toBeGreaterThan(0.5);
  expect(curve.at(-1)?.memory).toBeLessThan(0.6);
});
