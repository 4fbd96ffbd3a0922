import { EXTRAS } from "../../problems/plan-file/envelope.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { limitsOf } from "../../problems/plan-limits.js";
import { exitStatusOf } from "../terminal/exit-status.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";
import { solveInWorker, type ThreadTask } from "../worker/client.js";
import type { SolvingOptions } from "./options.js";

export interface PlanCommandOptions extends SolvingOptions {
  /** Also what solvers and TorchRec's planner say of a run. */
  readonly verbose?: boolean;
  /** `false`: published methods are not run, neither beside the plan nor to begin with. */
  readonly baselines?: boolean;
  /** `false`: no what-if prices. */
  readonly prices?: boolean;
  /** Progress as lines on standard error, terminal or not, quiet or not. */
  readonly progress?: boolean;
}

/** `shardproof plan INSTANCE`. */
export async function runPlan(instance: string, options: PlanCommandOptions): Promise<number> {
  const { quiet = false, verbose = false, progress = false } = options;
  if (options.out !== undefined) await requireWritable(options.out);
  const task = await taskOf(instance, options);
  const written = options.out !== undefined || options.json === true;
  const without = new Set(EXTRAS.filter((extra) => options[extra] === false));
  const how = { ...(verbose ? {} : { written }), ...(without.size === 0 ? {} : { without }) };
  // What shows a plan is loaded while it is made.
  const [{ text: asWritten, ...made }, { showPlan }] = await Promise.all([
    solveInWorker({ kind: "plan", ...task, ...how }, quiet, progress),
    import("./plan-shown.js"),
  ]);
  const text = written && verbose ? writePlan(made.plan) : asWritten;
  if (options.out !== undefined) {
    await writeOutput(options.out, text);
    note(`wrote ${options.out}`, quiet);
  }
  const shown = await showPlan({ ...made, task }, options);
  await writeResult(options.json === true ? text : shown);
  return exitStatusOf(made.plan.status);
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
