import type { ForeignModel } from "../../facts/facts.js";
import type { AnyInstance } from "../../instance/reader.js";
import type { PlanEnvelope } from "../../plan-file/envelope.js";
import { loadInstance } from "../../problems/planning/instances.js";
import type { Plan } from "../../problems/planning/plan.js";
import { problemOfPlan } from "../../problems/planning/registry.js";
import type { Problem } from "../../problems/problem.js";
import { showFacts } from "../../problems/show/facts.js";
import { showPlanBeside, showSolveBlock } from "../../problems/show/solve-block.js";
import type { SolvingOptions } from "../tables/answers.js";
import { note } from "../terminal/streams.js";
import type { ThreadTask } from "../worker/client.js";
import type { StopReason } from "../worker/stop.js";

/** A plan, what stopped its search, and what was asked. */
export interface MadePlan {
  readonly plan: Plan;
  readonly foreign: ForeignModel | null;
  readonly stopped: StopReason | null;
  readonly task: ThreadTask;
}

/** A plan as a person reads it; what else there is to say goes to standard error. With `json` that alone. */
export async function showPlan(
  { plan, foreign, stopped, task }: MadePlan,
  { json = false, verbose = false, quiet = false }: SolvingOptions,
): Promise<string> {
  const problem = problemOfPlan({ ...plan }, task.instance);
  const showing = await problem.showing();
  for (const { name, said } of (json ? undefined : foreign?.assumed) ?? []) note(`${name} ${said}`, quiet);
  for (const warning of showing.warnings(plan)) note(warning, quiet);
  warn(plan, stopped, quiet);
  if (json) return "";
  const open = () => loadInstance(task.instance, async () => task.standardInput ?? "");
  const details = verbose ? await detailsOf(plan, problem, open) : "";
  const beside = plan.status === "proved" ? null : showPlanBeside(plan, (await problem.knowing()).goal(plan));
  return showing.plan(plan) + showForeign(foreign) + (beside === null ? "" : `\n${beside}\n`) + details;
}

/** What the instance names of a cost model that is not this program's. */
export function showForeign(foreign: ForeignModel | null): string {
  if (foreign === null || foreign.named.length === 0) return "";
  return `\n${showFacts(foreign.named)}\n`;
}

/** For a placement the statistics of its ranks, for every plan the solve block. */
async function detailsOf(plan: PlanEnvelope, problem: Problem, open: () => Promise<AnyInstance>): Promise<string> {
  const [{ details }, { goal }] = await Promise.all([problem.showing(), problem.knowing()]);
  const beside = await details(plan, open);
  const parts = [...(beside === null ? [] : [beside]), showSolveBlock(plan, goal(plan))];
  return parts.map((part) => `\n${part}\n`).join("");
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
