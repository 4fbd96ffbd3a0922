import { milliseconds, significant } from "../../text/units.js";
import { EXIT } from "../exit-status.js";
import { searchProgress } from "../show/progress.js";
import { StatusLine } from "../show/status-line.js";
import { note } from "../streams.js";
import type { SolveProgress, WorkerMessage, WorkerTask } from "./protocol.js";
import { runThread } from "./run-thread.js";

/**
 * Solves in a thread of its own and returns what it comes to. The first Ctrl-C asks the search to stop with the best
 * proved so far, the second ends the process.
 *
 * Throws what the thread threw, with its name and message.
 */
export async function solveInWorker<K extends WorkerTask["kind"]>(
  task: Omit<WorkerTask, "stop"> & { readonly kind: K },
  quiet: boolean,
): Promise<Extract<WorkerMessage, { type: K }>> {
  const stop = new SharedArrayBuffer(4);
  const flag = new Int32Array(stop);
  const line = new StatusLine(quiet);
  const onInterrupt = () => {
    if (Atomics.load(flag, 0) !== 0) process.exit(EXIT.interrupted);
    Atomics.store(flag, 0, 1);
    line.hide();
    note("stopping with the best proved so far; press Ctrl-C again to end at once", quiet);
  };
  process.on("SIGINT", onInterrupt);
  try {
    const entry = new URL("./main.js", import.meta.url);
    const result = await runThread<WorkerMessage>(entry, { ...task, stop }, ({ progress }) =>
      line.show(() => searchProgress(progress, amountOf(task.kind, progress))),
    );
    return result as Extract<WorkerMessage, { type: K }>;
  } finally {
    line.clear();
    process.off("SIGINT", onInterrupt);
  }
}

function amountOf(kind: WorkerTask["kind"], { plain }: SolveProgress): (value: number) => string {
  return kind === "solve" || plain === true ? plainNumber : milliseconds;
}

function plainNumber(value: number): string {
  return significant(value, 8);
}
