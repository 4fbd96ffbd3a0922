import { Rational } from "../../exact/rational.js";
import { formValue } from "../../program/evaluate.js";
import type { Program } from "../../program/program.js";
import { lagrangianBound } from "../../proof/kernel/bound.js";
import { type Box, type View, viewOf } from "../../proof/kernel/view.js";
import type { RelaxationAnswer } from "../branch-and-bound/relaxation.js";

/** Beyond this a row is broken: ten times the tolerance of HiGHS, which it keeps in rows that it has scaled. */
const BROKEN = 1e-6;

/** The program with the sides of its rows rounded to what integers reach, as the view has them and closes nodes by. */
export function withRoundedSides(program: Program): Program {
  const { rows } = viewOf(program).view;
  return {
    ...program,
    rows: program.rows.map((row, r) => {
      const { lower = row.lower, upper = row.upper } = rows.get(r) ?? {};
      const areCrossed = lower !== null && upper !== null && lower.compare(upper) > 0;
      return areCrossed ? row : { ...row, lower, upper };
    }),
  };
}

/** Whether a point breaks a row of the view by more than doubles need. */
export function breaksRows(view: View, point: Float64Array): boolean {
  const exact = Array.from(point, (value) => Rational.fromNumber(value));
  for (const { form, lower, upper } of view.rows.values()) {
    const value = formValue(form, exact);
    if (lower !== null && lower.subtract(value).toNumber() > BROKEN) return true;
    if (upper !== null && value.subtract(upper).toNumber() > BROKEN) return true;
  }
  return false;
}

/** Below this, relatively, what the multipliers prove of an optimum is as good as it. */
const UNPROVED = 1e-6;

/** Whether an optimum's multipliers prove much less than its value: tolerances beside wide bounds, or none. */
export function lacksProof(view: View, box: Box, answer: Extract<RelaxationAnswer, { kind: "solved" }>): boolean {
  const { bound, infeasible } = lagrangianBound(view, box, answer.fine?.() ?? answer.multipliers);
  if (infeasible) return false;
  if (bound === null) return true;
  const point = Array.from(answer.point, (value) => Rational.fromNumber(value));
  const value = formValue(view.objective, point).add(view.constant);
  return value.subtract(bound).toNumber() > UNPROVED * (1 + Math.abs(value.toNumber()));
}
