import { facts } from "../../terminal/table.js";
import { answerIn, standingWords } from "../../text/optimality.js";
import { relativeGap, significant } from "../../text/units.js";
import type { PlanEnvelope, PlanTiming, PlanValue } from "../plan-file/envelope.js";
import type { Amounts } from "../problem.js";

/** The block that solvers end with: primal and dual bound, gap, violations, seconds in each phase. */
export function showSolveBlock(plan: PlanEnvelope, { number, below }: Amounts): string {
  const answer = answerIn(plan);
  const { value, bound, gap } = answer.objective as PlanValue;
  const pairs: [string, string][] = [["status", standingWords(answer)]];
  if (value !== null) pairs.push(["primal bound", number(value)]);
  if (bound !== null) pairs.push(["proved bound", bound === value ? number(bound) : below(bound)]);
  if (gap !== null) pairs.push(["gap", relativeGap(gap)]);
  if (value !== null) pairs.push(["violations", NO_VIOLATIONS]);
  pairs.push(["time", timeText(plan.timing)]);
  return facts(pairs);
}

/** Every plan that is shown was evaluated so: one that breaks a limit is not shown as a plan. */
export const NO_VIOLATIONS = "0, in exact arithmetic with zero tolerance";

/** Seconds in all, and in each phase. */
export function timeText({ readSeconds, solveSeconds, proveSeconds, totalSeconds }: PlanTiming): string {
  const phases = [
    ["reading", readSeconds],
    ["searching", solveSeconds],
    ["proving", proveSeconds],
  ] as const;
  const texts = phases.map(([phase, seconds]) => `${phase} ${seconds.toFixed(3)}`);
  return `${significant(totalSeconds, 3)} s (${texts.join(", ")})`;
}
