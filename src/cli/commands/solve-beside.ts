import { given } from "../../input/given.js";
import type { ProgramSolution } from "../../problems/program/answer/schema.js";
import { loadText } from "../../program/load-program.js";
import { formatOf, readProgram } from "../../program/read-program.js";
import type { ThreadTask } from "../worker/client.js";
import type { WorkerTask } from "../worker/protocol.js";

/** A solver that solves the same program while we do. */
export interface Beside {
  /** Waits for its answer, unless the search `wasStopped`: it is then asked to stop too. */
  add(solution: ProgramSolution, wasStopped: boolean): Promise<ProgramSolution>;
  stop(): Promise<void>;
}

const TIME_LIMIT_SECONDS = 60;

/**
 * Starts a solver on a program file beside a search in another thread, until the command's time limit. Throws `InputError`
 * for a file that cannot be read, `SolverError` for a solver that is not there.
 */
export async function openBeside(
  name: string,
  task: ThreadTask & Pick<WorkerTask, "standardInput" | "format" | "dialect">,
): Promise<Beside> {
  const { openSolver } = await import("../../solvers/solver.js");
  await (await openSolver(name)).close();
  const { besideSolution, holdBeside, readingBeside, solveBeside } = await import(
    "../../problems/program/solve/solve-beside.js"
  );
  const {
    instance,
    standardInput,
    format,
    dialect,
    startedAt,
    timeLimitSeconds = TIME_LIMIT_SECONDS,
    gap = 0,
    seed = 0,
  } = task;
  const text = await loadText(instance, { standardInput: async () => standardInput ?? "" });
  const program = readProgram(text, instance, format, given({ dialect }));
  const controller = new AbortController();
  const left = Math.max(0, timeLimitSeconds - (Date.now() - startedAt) / 1000);
  const answer = solveBeside(name, program, { timeLimitSeconds: left, gap, seed, signal: controller.signal });
  const reading = readingBeside(name, program, text, format ?? formatOf(text, instance) ?? "mps");
  // Whoever waits for it gets its failure; until then nobody listens.
  answer.catch(() => {});
  reading.catch(() => {});
  const onInterrupt = () => controller.abort();
  process.on("SIGINT", onInterrupt);
  const ended = () => process.off("SIGINT", onInterrupt);
  return {
    async add(solution, wasStopped) {
      if (wasStopped) controller.abort();
      const found = await answer.finally(ended);
      await holdBeside(solution, program, found);
      return besideSolution(solution, program, found, await reading);
    },
    async stop() {
      controller.abort();
      await answer.catch(() => {}).finally(ended);
    },
  };
}
