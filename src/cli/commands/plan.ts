import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { fileReason } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { loadInstance, requireTablePlacement } from "../../instance/load.js";
import { showTowersJoint } from "../../problems/joint-towers/show.js";
import type { Plan } from "../../problems/plan.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { showPlan } from "../../problems/row-tiers/show/plan.js";
import { showSolveBlock } from "../../problems/show/solve-block.js";
import { showPlacement } from "../../problems/table-placement/show/plan.js";
import { showRankStatistics } from "../../problems/table-placement/show/rank-statistics.js";
import { showTowers } from "../../problems/tower-partition/show/plan.js";
import { bytes } from "../../text/units.js";
import { exitStatusOf } from "../terminal/exit-status.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import { solveInWorker, type ThreadTask } from "../worker/client.js";
import type { WorkerTask } from "../worker/protocol.js";
import type { StopReason } from "../worker/stop.js";
import type { SolvingOptions } from "./options.js";

export interface PlanCommandOptions extends SolvingOptions {
  /** Also what solvers and TorchRec's planner say of a run. */
  readonly verbose?: boolean;
}

/** `shardproof plan INSTANCE`. */
export async function runPlan(instance: string, options: PlanCommandOptions): Promise<number> {
  const { quiet = false, verbose = false } = options;
  if (options.out !== undefined) await requireFolder(options.out);
  const task = await taskOf(instance, options);
  const { plan, stopped } = await solveInWorker({ kind: "plan", ...task }, quiet);
  // A long certificate takes long to be written: not where nobody asks for it.
  const text = options.out === undefined && options.json !== true ? "" : writePlan(plan);
  if (options.out !== undefined) {
    await writeOutput(options.out, text);
    note(`wrote ${options.out}`, quiet);
  }
  warn(plan, stopped, quiet);
  const details = verbose && options.json !== true ? await detailsOf(plan, task) : "";
  await writeResult(options.json === true ? text : shown(plan) + details);
  return exitStatusOf(plan.status);
}

function shown(plan: Plan): string {
  if (plan.problem === "row-tiers") return showPlan(plan);
  if (plan.problem === "table-placement") return showPlacement(plan);
  return plan.joint === undefined ? showTowers(plan) : showTowersJoint(plan, plan.joint);
}

/** For a placement the statistics of its ranks, for every plan the solve block. */
async function detailsOf(plan: Plan, { instance, standardInput = "" }: Pick<WorkerTask, "instance" | "standardInput">) {
  const parts = [showSolveBlock(plan)];
  if (plan.problem === "table-placement" && plan.devices !== null) {
    const { torchrec } = requireTablePlacement(await loadInstance(instance, async () => standardInput));
    parts.unshift(showRankStatistics(plan, torchrec));
  }
  return parts.map((part) => `\n${part}\n`).join("");
}

/** What the worker needs of the options. */
export async function taskOf(
  instance: string,
  { method, solver, gap, timeLimit, memoryLimit, seed }: SolvingOptions,
): Promise<ThreadTask> {
  return {
    instance,
    // Before standard input is read, which may be what takes long.
    startedAt: Date.now(),
    ...(instance === "-" ? { standardInput: await readStandardInput() } : {}),
    ...(method === undefined ? {} : { method }),
    ...(solver === undefined ? {} : { solver }),
    ...(gap === undefined ? {} : { gap }),
    ...(timeLimit === undefined ? {} : { timeLimitSeconds: timeLimit }),
    ...(memoryLimit === undefined ? {} : { memoryLimitBytes: memoryLimit }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function warn(plan: Plan, stopped: StopReason | null, quiet: boolean): void {
  const { claim } = plan;
  if (plan.problem === "row-tiers") {
    const { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm } = plan.memory;
    if (hbm !== null && budget > hbm) {
      note(`warning: the budget of ${bytes(budget)} per GPU is above the GPU's ${bytes(hbm)} (hbmBytesPerGpu)`, quiet);
    }
  }
  if (plan.status === "feasible" || plan.status === "unknown") {
    const { timeLimitSeconds } = plan.request;
    const more =
      stopped === "memory" ? "a higher --memory-limit" : `a longer --time-limit (this was ${timeLimitSeconds} s)`;
    note(`${more} may close the gap; --gap accepts one`, quiet);
  }
  if (claim !== null && !claim.agrees) note(`warning: ${claim.solver} is contradicted by the proof`, quiet);
}

/** Before a long search, not after it. */
export async function requireFolder(file: string): Promise<void> {
  if (file === "-") throw new InputError("expected a file to write, received -; use --json for standard output");
  const folder = dirname(file);
  const isThere = await access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  await access(folder, constants.W_OK).catch((error: unknown) => {
    const reason = fileReason(error, "folder");
    throw new InputError(`expected a folder that can be written to, received ${folder} (${reason})`, file);
  });
}
