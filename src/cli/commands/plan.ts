import { stat } from "node:fs/promises";
import type { AnyInstance } from "../../instance/reader.js";
import type { ForeignModel } from "../../problems/facts.js";
import { loadInstance } from "../../problems/instances.js";
import type { PlanEnvelope } from "../../problems/plan-file/envelope.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { limitsOf } from "../../problems/plan-limits.js";
import type { Problem } from "../../problems/problem.js";
import { problemOfPlan } from "../../problems/registry.js";
import { showFacts } from "../../problems/show/facts.js";
import { showPlanBeside, showSolveBlock } from "../../problems/show/solve-block.js";
import { exitStatusOf } from "../terminal/exit-status.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";
import { solveInWorker, type ThreadTask } from "../worker/client.js";
import type { StopReason } from "../worker/stop.js";
import type { SolvingOptions } from "./options.js";

export interface PlanCommandOptions extends SolvingOptions {
  /** Also what solvers and TorchRec's planner say of a run. */
  readonly verbose?: boolean;
  /** Progress as lines on standard error, terminal or not, quiet or not. */
  readonly progress?: boolean;
}

/** `shardproof plan INSTANCE`. */
export async function runPlan(instance: string, options: PlanCommandOptions): Promise<number> {
  const { quiet = false, verbose = false, progress = false } = options;
  if (options.out !== undefined) await requireWritable(options.out);
  const task = await taskOf(instance, options);
  const written = options.out !== undefined || options.json === true;
  const how = verbose ? {} : { written };
  const solved = await solveInWorker({ kind: "plan", ...task, ...how }, quiet, progress);
  const { plan, stopped } = solved;
  const text = written && verbose ? writePlan(plan) : solved.text;
  if (options.out !== undefined) {
    await writeOutput(options.out, text);
    note(`wrote ${options.out}`, quiet);
  }
  const problem = problemOfPlan({ ...plan }, instance);
  const showing = await problem.showing();
  const open = () => loadInstance(task.instance, async () => task.standardInput ?? "");
  const again = options.json === true ? null : await opened(task);
  const foreign = again === null ? undefined : await showing.foreignModel?.(again);
  for (const { name, said } of foreign?.assumed ?? []) note(`${name} ${said}`, quiet);
  for (const warning of showing.warnings(plan)) note(warning, quiet);
  warn(plan, stopped, quiet);
  const details = verbose && options.json !== true ? await detailsOf(plan, problem, open) : "";
  const beside = plan.status === "proved" ? null : showPlanBeside(plan, (await problem.knowing()).goal(plan));
  await writeResult(
    options.json === true
      ? text
      : showing.plan(plan) + showForeign(foreign) + (beside === null ? "" : `\n${beside}\n`) + details,
  );
  return exitStatusOf(plan.status);
}

/** Reads a task's instance again; `null` for a pipe, which is read once: what was in it is gone. */
export async function opened({ instance, standardInput }: ThreadTask): Promise<(() => Promise<AnyInstance>) | null> {
  const isThere = instance === "-" || (await stat(instance)).isFile();
  return isThere ? () => loadInstance(instance, async () => standardInput ?? "") : null;
}

/** What the instance names of a cost model that is not this program's. */
export function showForeign(foreign: ForeignModel | undefined): string {
  if (foreign === undefined || foreign.named.length === 0) return "";
  return `\n${showFacts(foreign.named)}\n`;
}

/** For a placement the statistics of its ranks, for every plan the solve block. */
async function detailsOf(plan: PlanEnvelope, problem: Problem, open: () => Promise<AnyInstance>): Promise<string> {
  const [{ details }, { goal }] = await Promise.all([problem.showing(), problem.knowing()]);
  const beside = await details(plan, open);
  const parts = [...(beside === null ? [] : [beside]), showSolveBlock(plan, goal(plan))];
  return parts.map((part) => `\n${part}\n`).join("");
}

/** What the worker needs of the options. */
export async function taskOf(
  instance: string,
  { method, solver, gap, timeLimit, workLimit, memoryLimit, seed }: SolvingOptions,
): Promise<ThreadTask> {
  return {
    instance,
    // Before standard input is read, which may be what takes long.
    startedAt: Date.now(),
    ...(instance === "-" ? { standardInput: await readStandardInput() } : {}),
    ...(method === undefined ? {} : { method }),
    ...(solver === undefined ? {} : { solver }),
    ...(gap === undefined ? {} : { gap }),
    ...limitsOf({ timeLimit, workLimit }),
    ...(memoryLimit === undefined ? {} : { memoryLimitBytes: memoryLimit }),
    ...(seed === undefined ? {} : { seed }),
  };
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
