import type { PlacementEvaluation } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { ObjectiveMismatchError } from "../../../plan-file/objective-mismatch.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import { relativeGap, type Verdict } from "../../../proof/verdict.js";
import type { PlacementSecond } from "./plan-file.js";
import { certified, type PlacementOutcome, proofOf } from "./proof-on.js";

/** What was proved of the second goal, among plans whose largest cost is at most `cap`. */
export interface SecondOutcome extends PlacementOutcome {
  readonly cap: Rational;
}

/**
 * The second goal as the plan file has it; `null` where the problem has none.
 *
 * Throws {@link ObjectiveMismatchError} when evaluation and verdict disagree about its value, `RangeError` when the cap
 * lets through what the first goal does not: more than the asked gap above its bound, or less than the plan costs.
 */
export function describeSecond(
  parts: {
    readonly problem: PlacementProblem;
    readonly placement: Placement | null;
    readonly request: PlanRequest;
    readonly outcome: { readonly verdict: Verdict } | null;
    readonly second?: SecondOutcome | null;
  },
  evaluation: PlacementEvaluation,
): PlacementSecond | null {
  const { problem, second = null, outcome, request } = parts;
  const goal = problem.thenMinimize;
  if (goal === undefined) return null;
  const value = goal === "sum" ? evaluation.sum : evaluation.secondLargest;
  const unproved = { status: null, bound: null, gap: null, proof: null, certificate: null };
  if (second === null) {
    return { ...unproved, goal, value: nearest(value), exact: { cap: null, value: value.toString(), bound: null } };
  }
  const { verdict, certificate, cap } = second;
  const first = outcome?.verdict.bound ?? null;
  if (first === null || relativeGap(cap, first).compare(askedGap(request.gap)) > 0) {
    throw new RangeError(`the second goal allows a largest cost of ${cap}, which is not proved to be the least`);
  }
  if (evaluation.objective.compare(cap) > 0) {
    throw new RangeError(`the second goal allows a largest cost of ${cap}, the plan has ${evaluation.objective}`);
  }
  if (verdict.value?.equals(value) !== true || verdict.bound === null || verdict.gap === null) {
    const message = `the plan's second objective is ${value}, the program's ${verdict.value}`;
    throw new ObjectiveMismatchError(message, parts.placement, certificate);
  }
  return {
    goal,
    status: verdict.status,
    value: nearest(value),
    bound: boundBelow(verdict.bound, value),
    gap: gapAbove(verdict.gap),
    exact: { cap: cap.toString(), value: value.toString(), bound: verdict.bound.toString() },
    proof: proofOf(second),
    ...certified(second),
  };
}
