import { given } from "../../input/given.js";
import { EXTRAS } from "../../plan-file/envelope.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { limitsOf } from "../../problems/plan-limits.js";
import type { SolvingOptions } from "../tables/answers.js";
import { exitStatusOf, readStandardInput, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { solveInWorker, type ThreadTask } from "../worker/client.js";

/** `shardproof plan INSTANCE`. */
export async function runPlan(instance: string, options: SolvingOptions): Promise<number> {
  const { quiet = false, verbose = false, progress = false } = options;
  await requireWritable(options.out);
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
  await writeNoted(options.out, () => text, quiet);
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
    ...given({ method, solver, gap, memoryLimitBytes: memoryLimit, seed }),
    ...limitsOf({ timeLimit, workLimit }),
  };
}
