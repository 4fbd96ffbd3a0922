import type { Box, View } from "../../proof/kernel/view.js";
import type { RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import type { ShouldStop } from "../work.js";
import { solveExactLinear } from "./solve.js";

/** Above this many entries a dense exact tableau costs more than branching on. */
const MAX_ENTRIES = 20_000;

/** The relaxation of a box in exact arithmetic, from a floating-point answer on; `null` where that costs too much. */
export function refineExactly(
  view: View,
  box: Box,
  answer: RelaxationAnswer,
  shouldStop: ShouldStop,
): RelaxationAnswer | null {
  if (view.rows.size * view.columns.length > MAX_ENTRIES) return null;
  return exactAnswer(view, box, answer.kind === "solved" ? answer.point : null, shouldStop);
}

/** The relaxation of a box in exact arithmetic; `null` when it is unbounded, or was stopped. */
export function exactAnswer(
  view: View,
  box: Box,
  near: Float64Array | null,
  shouldStop: ShouldStop,
): RelaxationAnswer | null {
  const exact = solveExactLinear(view, box, near, shouldStop);
  if (exact === null || exact.kind === "unbounded") return null;
  if (exact.kind === "infeasible") return exact;
  const point = Float64Array.from(exact.point, (value) => value.toNumber());
  const whole = exact.point.every((value, j) => view.integer[j] !== true || value.isInteger());
  return {
    kind: "solved",
    point,
    multipliers: exact.multipliers,
    candidates: whole ? [{ point, objective: Number.NEGATIVE_INFINITY, exact: exact.point }] : [],
  };
}
