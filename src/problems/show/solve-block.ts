import type { Fact, Goal } from "../../facts/facts.js";
import { claimedGap } from "../../plan-file/claim.js";
import type { PlanEnvelope, PlanTiming } from "../../plan-file/envelope.js";
import { answerIn, gapText, standingWords } from "../../text/optimality.js";
import { significant } from "../../text/units.js";
import { boundBeside } from "../../text/value-unit.js";
import { claimText, provedText, showBeside } from "./beside.js";
import { showFacts } from "./facts.js";

/** Digits of values and bounds: all that a double is sure of, less what nobody reads. */
const DIGITS = 12;

/** Of what stands beside the claim of a solver. */
const BESIDE_DIGITS = 8;

/** The block that solvers end with: primal and dual bound, gap, violations, seconds in each phase. */
export function showSolveBlock(plan: PlanEnvelope, { value, bound, gap, unit }: Goal): string {
  const block: Fact[] = [{ name: "status", said: standingWords(answerIn(plan)) }];
  if (value !== null) block.push({ name: "primal bound", said: unit.text(value, DIGITS) });
  if (bound !== null) block.push({ name: "proved bound", said: boundBeside(unit, bound, value, DIGITS) });
  if (gap !== null) block.push({ name: "gap", said: gapText({ value, bound, gap }) });
  if (value !== null) block.push({ name: "violations", said: NO_VIOLATIONS });
  return showFacts([...block, { name: "time", said: timeText(plan.timing) }]);
}

/** What was proved and what a general solver claims, one below the other; `null` where none was asked. */
export function showPlanBeside(
  { status, claim, timing }: PlanEnvelope,
  { value, bound, gap, unit }: Goal,
): string | null {
  if (claim === null) return null;
  const ours = { value, bound, gap, seconds: timing.totalSeconds };
  return showBeside(
    [
      { who: "shardproof", ...ours, says: provedText(status) },
      {
        ...{ who: claim.solver, value: claim.value, bound: claim.bound, gap: claimedGap(claim), seconds: null },
        says: claimText(claim.status),
      },
    ],
    (number) => unit.text(number, BESIDE_DIGITS),
  );
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
