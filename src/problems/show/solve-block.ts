import { facts } from "../../terminal/table.js";
import { answerIn, standingWords } from "../../text/optimality.js";
import { milliseconds, millisecondsBelow, relativeGap, significant, significantBelow } from "../../text/units.js";
import type { JointPlan } from "../joint-towers/plan-file/plan-file.js";
import type { Plan } from "../plan.js";
import type { PlanTiming } from "../plan-file/envelope.js";
import { withUnit } from "../table-placement/show/goals.js";

/** Digits of values and bounds: all that a double is sure of, less what nobody reads. */
const DIGITS = 12;

/** The block that solvers end with: primal and dual bound, gap, violations, seconds in each phase. */
export function showSolveBlock(plan: Plan): string {
  const joint = jointOf(plan);
  const { value, bound, gap } = joint === undefined ? plan.objective : joint.seconds;
  const { number, below } = writtenIn(plan);
  const pairs: [string, string][] = [["status", standingWords(answerIn(plan))]];
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

/** How numbers of the objective are written, bounds never as more than they are. */
function writtenIn(plan: Plan): { number: (value: number) => string; below: (value: number) => string } {
  if (plan.problem === "row-tiers" || jointOf(plan) !== undefined) {
    return {
      number: (value) => milliseconds(value, DIGITS),
      below: (value) => millisecondsBelow(value, DIGITS),
    };
  }
  const unit = plan.problem === "table-placement" ? plan.objective.unit : null;
  return {
    number: (value) => withUnit(significant(value, DIGITS), unit),
    below: (value) => withUnit(significantBelow(value, DIGITS), unit),
  };
}

/** Of towers with tables: the plan of both, whose objective is the seconds of the exchange. */
function jointOf(plan: Plan): JointPlan | undefined {
  return plan.problem === "tower-partition" ? plan.joint : undefined;
}
