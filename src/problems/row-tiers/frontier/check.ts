import type { Rational } from "../../../exact/rational.js";
import { EXACT_METHOD as OPTIMAL } from "../../../plan-file/method-names.js";
import { holdAgainst, type Proved } from "../../../proof/hold-against.js";
import type { CurvePoint } from "./convex-curve.js";
import type { FrontierParts } from "./parts.js";
import type { FrontierCheck } from "./report.js";

/**
 * Holds every plan at hand against the relaxation's frontier and the bounds proved at all budgets that it is within, in exact
 * arithmetic: the greedy methods' (also those over their budget: with more memory they are plans), A to D, and the optima.
 *
 * Throws `ContradictionError`.
 */
export function checkFrontier({ prepared, relaxed, greedy, marks, solved }: FrontierParts): FrontierCheck {
  if (relaxed === null) return { plans: 0, below: [] };
  const plans: (readonly [name: string, CurvePoint])[] = [];
  for (const { method, points } of greedy) {
    for (const { raw, keepsToHost } of points) {
      if (keepsToHost) plans.push([method, raw]);
    }
  }
  for (const [name, point] of Object.entries(marks ?? {})) plans.push([`point ${name.toUpperCase()}`, point]);
  for (const { usedBytes, verdict } of solved) {
    plans.push([OPTIMAL, { bytes: usedBytes, seconds: verdict.value as Rational }]);
  }
  // What moves is limited beside memory: of the others it is not known whether they keep to that.
  const { mostMovedRows = null, mostMovedBytes = null } = prepared.instance.from ?? {};
  const isFree = mostMovedRows === null && mostMovedBytes === null;
  const known = plans
    .filter(([name]) => isFree || name === OPTIMAL)
    .map(([name, plan]) => ({ what: `the plan of ${name} at ${plan.bytes} bytes`, plan }));
  const proved = solved.map(
    ({ budgetBytes, verdict, certificate }): Proved<CurvePoint> => ({
      of: `plans of ${budgetBytes} bytes`,
      bound: verdict.bound,
      worth: ({ bytes, seconds }) => (bytes.compare(budgetBytes) <= 0 ? seconds : null),
      proof: { certificate },
    }),
  );
  holdAgainst(known, proved);
  for (const one of known) {
    const { bytes, seconds } = one.plan;
    const bound = relaxed.curve.valueAt(bytes);
    holdAgainst([one], [{ of: `the relaxation at ${bytes} bytes`, bound, worth: () => seconds, proof: {} }]);
  }
  return { plans: plans.length, below: [] };
}
