import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { fileReason } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import type { Plan } from "../optimize/plan-instance.js";
import { writePlan } from "../plan/write-plan.js";
import { exitStatusOf } from "./exit-status.js";
import type { SolvingOptions } from "./options.js";
import { showPlacement } from "./show/placement.js";
import { showPlan } from "./show/plan.js";
import { showTowers } from "./show/towers.js";
import { showTowersJoint } from "./show/towers-joint.js";
import { bytes } from "./show/units.js";
import { note, readStandardInput, writeOutput, writeResult } from "./streams.js";
import { solveInWorker } from "./worker/client.js";
import type { WorkerTask } from "./worker/protocol.js";

/** `shardproof plan INSTANCE`. */
export async function runPlan(instance: string, options: SolvingOptions): Promise<number> {
  const quiet = options.quiet === true;
  if (options.out !== undefined) await requireFolder(options.out);
  const { plan } = await solveInWorker({ kind: "plan", ...(await taskOf(instance, options)) }, quiet);
  const text = writePlan(plan);
  if (options.out !== undefined) {
    await writeOutput(options.out, text);
    note(`wrote ${options.out}`, quiet);
  }
  warn(plan, quiet);
  await writeResult(options.json === true ? text : shown(plan));
  return exitStatusOf(plan.status);
}

function shown(plan: Plan): string {
  if (plan.problem === "row-tiers") return showPlan(plan);
  if (plan.problem === "table-placement") return showPlacement(plan);
  return plan.joint === undefined ? showTowers(plan) : showTowersJoint(plan, plan.joint);
}

/** What the worker needs of the options. */
export async function taskOf(
  instance: string,
  { method, solver, gap, timeLimit, seed }: SolvingOptions,
): Promise<Omit<WorkerTask, "kind" | "stop">> {
  return {
    instance,
    ...(instance === "-" ? { standardInput: await readStandardInput() } : {}),
    ...(method === undefined ? {} : { method }),
    ...(solver === undefined ? {} : { solver }),
    ...(gap === undefined ? {} : { gap }),
    ...(timeLimit === undefined ? {} : { timeLimitSeconds: timeLimit }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function warn(plan: Plan, quiet: boolean): void {
  const { claim } = plan;
  if (plan.problem === "row-tiers") {
    const { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm } = plan.memory;
    if (hbm !== null && budget > hbm) {
      note(`warning: the budget of ${bytes(budget)} per GPU is above the GPU's ${bytes(hbm)} (hbmBytesPerGpu)`, quiet);
    }
  }
  if (claim !== null && !claim.agrees) note(`warning: ${claim.solver} is contradicted by the proof`, quiet);
}

/** Before a long search, not after it. */
export async function requireFolder(file: string): Promise<void> {
  if (file === "-") throw new InputError("expected a file to write, received -; use --json for standard output");
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    const reason = fileReason(error, "folder");
    throw new InputError(`expected a folder that can be written to, received ${folder} (${reason})`, file);
  });
}
