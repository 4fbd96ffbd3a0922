import type { PlanRequest } from "../../plan-file/envelope.js";
import { paint } from "../../terminal/table.js";
import { type Answer, type AnswerTexts, valueWords } from "../../text/optimality.js";
import { askedGapText, significant, some } from "../../text/units.js";
import { sentence } from "./facts.js";

/** How a bound was proved: the size of its certificate, and how long checking it took. */
export function proofText(
  { steps, branchings, columns }: { readonly steps: number; readonly branchings: number; readonly columns?: number },
  proveSeconds: number,
): string {
  const parts = [
    some(steps, "step"),
    branchings === 0 ? "no branching" : some(branchings, "branching"),
    ...(columns === undefined ? [] : [some(columns, "column")]),
    "checked in exact arithmetic",
  ];
  const time = proveSeconds === 0 ? "under 1" : significant(proveSeconds * 1000, 3);
  return `${parts.join(", ")} (${time} ms)`;
}

/** What is known for certain of a value with a bound: proved to the gap that was asked for, or not. */
export function boundVerdict(answer: Answer, texts: AnswerTexts, askedGap: number | string): string {
  const said = sentence(valueWords(answer, texts));
  const asked = typeof askedGap === "string" ? askedGap : askedGapText(askedGap);
  return answer.status === "proved"
    ? `${paint.green(answer.status)}: ${said}`
    : `${paint.yellow("not proved")} to the gap of ${asked}: ${said}`;
}

/** That nothing is known, and which limit was in the way. */
export function unknownVerdict(found: string, { workLimitSeconds }: Pick<PlanRequest, "workLimitSeconds">): string {
  return `${paint.yellow("unknown")}: ${found}; raise ${workLimitSeconds === undefined ? "--time-limit" : "--work-limit"}`;
}
