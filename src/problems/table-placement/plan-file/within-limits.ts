import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { InputError } from "../../../errors/input-error.js";

/** Throws `InputError` where a plan's placement is none of the problem's, or breaks one of its limits. */
export function requireWithinLimits(problem: PlacementProblem, placement: Placement, file: string): void {
  const violation = violationOf(problem, placement);
  if (violation !== undefined) throw unfit(violation, file);
}

/** The plan in `file` is none of its instance: what it breaks, in words. */
export function unfit(violation: string, file: string): InputError {
  return new InputError(`expected a plan that fits its instance, received one of which ${violation}; plan again`, file);
}

function violationOf(problem: PlacementProblem, placement: Placement): string | undefined {
  try {
    return evaluatePlacement(problem, placement).violations[0];
  } catch (error) {
    // The placement is none of the problem's.
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
