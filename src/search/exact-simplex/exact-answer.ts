import type { RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import type { ExactAnswer } from "./solve.js";

/**
 * What the exact relaxation of a box says to branch and bound; `null` when it is unbounded. `isInteger`: by the view's
 * column, whether a point must have it whole.
 */
export function exactAnswer(
  exact: ExactAnswer,
  isInteger: (column: number) => boolean | undefined,
): RelaxationAnswer | null {
  if (exact.kind === "unbounded") return null;
  if (exact.kind === "infeasible") return exact;
  const point = Float64Array.from(exact.point, (value) => value.toNumber());
  const whole = exact.point.every((value, j) => isInteger(j) !== true || value.isInteger());
  return {
    kind: "solved",
    point,
    multipliers: exact.multipliers,
    candidates: whole ? [{ point, objective: Number.NEGATIVE_INFINITY, exact: exact.point }] : [],
  };
}
