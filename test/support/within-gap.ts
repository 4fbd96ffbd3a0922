import { expect } from "vitest";
import type { Rational } from "../../src/exact/rational.js";
import type { Verdict } from "../../src/proof/verdict.js";

/**
 * That `verdict` is of the problem whose optimum is `optimum` (null: it has no plan), to `gap` times the value: between costs that
 * are far apart a value may be above the optimum and is proved all the same.
 */
export function expectOptimum(
  verdict: Pick<Verdict, "status" | "value" | "bound"> | null,
  optimum: Rational | null,
  gap: Rational,
  label: string,
): void {
  expect(verdict?.status, label).toBe(optimum === null ? "infeasible" : "proved");
  if (optimum === null) return;
  const { value, bound } = verdict as { value: Rational; bound: Rational };
  expect(bound.compare(optimum), `${label}: the bound ${bound} of ${optimum}`).toBeLessThanOrEqual(0);
  expect(value.compare(optimum), `${label}: the value ${value} of ${optimum}`).toBeGreaterThanOrEqual(0);
  expect(value.subtract(optimum).compare(value.multiply(gap)), `${label}: ${value} of ${optimum}`).toBeLessThanOrEqual(
    0,
  );
}
