import { expect, test } from "vitest";
import { fitOf } from "../../../../src/cost/neural/fit.js";

test("errors, R² and Spearman's rank correlation, worked by hand", () => {
  // Mean 3, squared deviations 4 + 1 + 1 + 4 = 10; errors 0, 1, 1, 2.
  const fit = fitOf([1, 2, 4, 5], [1, 3, 3, 7]);
  expect(fit.sets).toBe(4);
  expect(fit.meanAbsoluteError).toBe(1);
  expect(fit.meanSquaredError).toBe(1.5);
  expect(fit.rSquared).toBeCloseTo(1 - 6 / 10, 15);
  // Ranks 1, 2, 3, 4 and 1, 2.5, 2.5, 4: Σ of products 4.5, of squares 5 and 4.5.
  expect(fit.rankCorrelation).toBeCloseTo(4.5 / Math.sqrt(5 * 4.5), 15);
});

test("order alone decides the rank correlation", () => {
  expect(fitOf([1, 2, 3], [10, 100, 1000]).rankCorrelation).toBeCloseTo(1, 15);
  expect(fitOf([1, 2, 3], [3, 2, 1]).rankCorrelation).toBeCloseTo(-1, 15);
});

test("equal costs have no variance to explain, and equal predictions no order", () => {
  expect(fitOf([2, 2], [1, 3])).toMatchObject({ rSquared: null, rankCorrelation: null });
  expect(fitOf([1, 3], [2, 2])).toMatchObject({ rSquared: 0, rankCorrelation: null });
});
