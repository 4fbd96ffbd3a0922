import { goalValue } from "../facts/facts.js";
import type { PlanEnvelope } from "../plan-file/envelope.js";
import type { Knowing } from "../problems/problem.js";
import type { ProgramSolution } from "../problems/program/answer/schema.js";
import { answerIn, gapText, standingWords } from "../text/optimality.js";
import { plainText } from "../text/said.js";
import { bytesInUnits, significant } from "../text/units.js";
import { boundBeside } from "../text/value-unit.js";
import type { BrowserAnswer } from "./protocol.js";

type Facts = [name: string, text: string][];

/** A plan of any problem in a few words; the report says the rest. */
export function planAnswer(plan: PlanEnvelope, known: Knowing<PlanEnvelope>): BrowserAnswer {
  const { status, infeasibility, timing } = plan;
  const goal = known.goal(plan);
  const { value, bound, gap, unit } = goal;
  const facts: Facts = [];
  if (infeasibility !== null) facts.push(["because", bytesInUnits(infeasibility.explanation)]);
  if (value !== null) facts.push(["value", goalValue(goal).text]);
  if (bound !== null) facts.push(["proved bound", boundBeside(unit, bound, value)]);
  if (gap !== null) facts.push(["gap", gapText(goal)]);
  for (const { name, said } of known.facts(plan)) if (name === "memory") facts.push([name, plainText(said)]);
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
  if (gap !== null) facts.push(["gap", gapText(objective)]);
  facts.push(["time", `${significant(timing.totalSeconds, 3)} s`]);
  return { name: file, status, standing: standingWords(answerIn(solution)), facts };
}
