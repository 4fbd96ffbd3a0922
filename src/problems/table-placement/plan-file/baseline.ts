import type { PlacementEvaluation } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import { aboveBound } from "../../../plan-file/above-bound.js";
import { nearest } from "../../../plan-file/rounding.js";
import { STOPPED } from "../../../plan-file/stopped.js";
import type { PlacementBaseline } from "./plan-file.js";
import { placementOf, writtenChoices } from "./written-choices.js";

/**
 * What a published method made of the instance: a placement, or why it found none. The reason is {@link STOPPED} where its time
 * was over before it ended.
 */
export type BaselinePlacement =
  | { readonly method: string; readonly placement: Placement; readonly reason: typeof STOPPED | null }
  | { readonly method: string; readonly placement: null; readonly reason: string };

/** What a placement comes to under a problem's costs. */
export type EvaluatePlacement = (problem: PlacementProblem, placement: Placement) => PlacementEvaluation;

/** Evaluates a baseline beside the proved bound. Throws `RangeError` when its placement is none of the problem's. */
export function describePlacementBaseline(
  evaluate: EvaluatePlacement,
  problem: PlacementProblem,
  bound: Rational | null,
  { method, placement, reason }: BaselinePlacement,
): PlacementBaseline {
  if (placement === null) return { method, status: "none", reason, value: null, aboveBound: null, choices: null };
  const { objective, violations } = evaluate(problem, placement);
  const [violation = null] = violations;
  const above = violation === null && bound !== null ? aboveBound(objective, bound) : null;
  return {
    method,
    status: violation === null ? "plan" : "breaks-limits",
    reason: violation ?? reason,
    value: nearest(objective),
    // A share of a search that was cut short would be said of the method.
    aboveBound: reason === STOPPED && above !== 0 ? null : above,
    choices: writtenChoices(placement),
  };
}

/** A baseline as a plan file has it; what it comes to is evaluated again. */
export function baselineIn(written: Pick<PlacementBaseline, "method" | "reason" | "choices">): BaselinePlacement {
  const { method, choices, reason } = written;
  return choices === null
    ? { method, placement: null, reason: reason ?? "" }
    : { method, placement: placementOf(choices), reason: reason === STOPPED ? STOPPED : null };
}
