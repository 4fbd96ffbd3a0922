import type { Rational } from "../../../exact/rational.js";
import type { CurvePoint } from "./convex-curve.js";
import type { FrontierParts } from "./parts.js";
import type { FrontierCheck } from "./report.js";

/**
 * Compares every plan at hand with the relaxation's frontier, in exact arithmetic: none may lie below it, neither the
 * greedy methods' (also those over their budget: with more memory they are plans), nor A to D, nor the optima.
 */
export function checkFrontier({ relaxed, greedy, marks, solved }: FrontierParts): FrontierCheck {
  if (relaxed === null) return { plans: 0, below: [] };
  const plans: (readonly [name: string, CurvePoint])[] = [];
  for (const { method, points } of greedy) {
    for (const { raw, keepsToHost } of points) {
      if (keepsToHost) plans.push([method, raw]);
    }
  }
  for (const [name, point] of Object.entries(marks ?? {})) plans.push([`point ${name.toUpperCase()}`, point]);
  for (const { usedBytes, verdict } of solved) {
    plans.push(["optimal", { bytes: usedBytes, seconds: verdict.value as Rational }]);
  }
  const below = plans.filter(([, point]) => relaxed.curve.liesAbove(point));
  return {
    plans: plans.length,
    below: below.map(([name, { bytes, seconds }]) => `${name} at ${bytes} bytes: ${seconds} s`),
  };
}
