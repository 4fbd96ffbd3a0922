import type { Plan } from "../problems/plan.js";
import type { ProgramSolution } from "../problems/program/answer/solution-file.js";
import { boundBeside, gapText, plainScale, SECONDS } from "../report/numbers.js";
import { answerIn, standingWords } from "../text/optimality.js";
import { bytes, significant } from "../text/units.js";
import type { BrowserAnswer } from "./protocol.js";

type Facts = [name: string, text: string][];

/** A plan of any problem in a few words; the report says the rest. */
export function planAnswer(plan: Plan): BrowserAnswer {
  const { problem, status, infeasibility, timing } = plan;
  // Of towers with tables it is the seconds of their exchange that were minimised last.
  const seconds = problem === "tower-partition" ? plan.joint?.seconds : undefined;
  const { value, bound, gap } = seconds ?? plan.objective;
  const scale =
    problem === "row-tiers" || seconds !== undefined
      ? SECONDS
      : plainScale(problem === "table-placement" ? plan.objective.unit : null);
  const facts: Facts = [];
  if (infeasibility !== null) facts.push(["because", infeasibility.explanation]);
  if (value !== null) facts.push(["value", scale.text(value)]);
  if (bound !== null) facts.push(["proved bound", boundBeside(scale, bound, value)]);
  if (gap !== null) facts.push(["gap", gapText(gap)]);
  if (problem === "row-tiers" && plan.memory.bytesPerGpu !== null) {
    const { bytesPerGpu, budgetBytesPerGpu } = plan.memory;
    facts.push(["memory", `${bytes(bytesPerGpu)} of ${bytes(budgetBytesPerGpu)} per GPU`]);
  }
  facts.push(["time", `${significant(timing.totalSeconds, 3)} s`]);
  return { name: plan.instance.name, status, standing: standingWords(answerIn(plan)), facts };
}

/** A solved program under its file's name; the terminal's text says the rest. */
export function programAnswer(solution: ProgramSolution, file: string): BrowserAnswer {
  const { status, objective, reason, timing } = solution;
  const { value, bound, gap } = objective;
  const facts: Facts = [];
  if (reason !== null) facts.push(["because", reason]);
  if (value !== null) facts.push(["value", String(value)]);
  if (bound !== null) facts.push(["proved bound", String(bound)]);
  if (gap !== null) facts.push(["gap", typeof gap === "number" ? gapText(gap) : gap]);
  facts.push(["time", `${significant(timing.totalSeconds, 3)} s`]);
  return { name: file, status, standing: standingWords(answerIn(solution)), facts };
}
