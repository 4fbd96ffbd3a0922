import type { ForeignModel } from "../../facts/facts.js";
import type { PlanEnvelope } from "../../plan-file/envelope.js";
import type { Plan } from "../../problems/planning/plan.js";
import { problemOfPlan } from "../../problems/planning/registry.js";
import { showFacts } from "../../problems/show/facts.js";
import { showPlanBeside, showSolveBlock } from "../../problems/show/solve-block.js";
import { count } from "../../text/units.js";
import type { SolvingOptions } from "../tables/answers.js";
import { note } from "../terminal/streams.js";
import type { ThreadTask } from "../worker/client.js";
import type { StopReason } from "../worker/stop.js";

// The first number that is formatted loads what there is to know of languages: beside the search, not after it.
count(1);

/** A plan, what stopped its search, and what was asked. */
export interface MadePlan {
  readonly plan: Plan;
  readonly foreign: ForeignModel | null;
  readonly details: string | null;
  readonly stopped: StopReason | null;
  readonly task: ThreadTask;
}

/** A plan as a person reads it; what else there is to say goes to standard error. With `json` that alone. */
export async function showPlan(
  { plan, foreign, details, stopped, task }: MadePlan,
  { json = false, verbose = false, quiet = false }: SolvingOptions,
): Promise<string> {
  const problem = problemOfPlan({ ...plan }, task.instance);
  const showing = await problem.showing();
  for (const { name, said } of (json ? undefined : foreign?.assumed) ?? []) note(`${name} ${said}`, quiet);
  for (const warning of showing.warnings(plan)) note(warning, quiet);
  warn(plan, stopped, quiet);
  if (json) return "";
  const goal = (await problem.knowing()).goal(plan);
  const beside = plan.status === "proved" ? null : showPlanBeside(plan, goal);
  const parts = [beside, ...(verbose ? [details, showSolveBlock(plan, goal)] : [])];
  return showing.plan(plan) + showForeign(foreign) + parts.map((part) => (part === null ? "" : `\n${part}\n`)).join("");
}

/** What the instance names of a cost model that is not this program's. */
export function showForeign(foreign: ForeignModel | null): string {
  if (foreign === null || foreign.named.length === 0) return "";
  return `\n${showFacts(foreign.named)}\n`;
}

function warn(plan: PlanEnvelope, stopped: StopReason | null, quiet: boolean): void {
  const { claim } = plan;
  if (plan.status === "feasible" || plan.status === "unknown") {
    const { timeLimitSeconds, workLimitSeconds } = plan.request;
    const longer =
      workLimitSeconds === undefined
        ? `a longer --time-limit (this was ${timeLimitSeconds} s)`
        : `a higher --work-limit (this was ${workLimitSeconds} s of work, within ${timeLimitSeconds} s)`;
    const more = stopped === "memory" ? "a higher --memory-limit" : longer;
    note(`${more} may close the gap; --gap accepts one`, quiet);
  }
  if (claim !== null && !claim.agrees) note(`warning: ${claim.solver} is contradicted by the proof`, quiet);
}
