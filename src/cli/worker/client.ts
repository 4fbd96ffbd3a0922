import type { SolveProgress } from "../../text/progress.js";
import { searchProgress } from "../../text/progress.js";
import { milliseconds, significant } from "../../text/units.js";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";
import { withStatusLine } from "../terminal/status-line.js";
import type { WorkerMessage, WorkerTask } from "./protocol.js";
import { runStoppable, type StopReason } from "./stop.js";

/** What a thread is handed, but for what only its client knows. */
export type ThreadTask = Omit<WorkerTask, "kind" | "stop"> & { readonly memoryLimitBytes?: number };

/**
 * Solves in a thread of its own and returns what it comes to, and what stopped it. The first Ctrl-C asks the search to
 * stop with the best proved so far, the second ends the process; memory that nears its limit is like the first. Progress is
 * written as `StatusLine` does, with `asLines` too.
 *
 * Throws what the thread threw, with its name and message, and `MemoryLimitError`.
 */
export async function solveInWorker<K extends WorkerTask["kind"]>(
  { memoryLimitBytes = defaultMemoryLimit(), ...task }: ThreadTask & { readonly kind: K },
  quiet: boolean,
  asLines = false,
): Promise<Extract<WorkerMessage, { type: K }> & { readonly stopped: StopReason | null }> {
  return withStatusLine(
    quiet,
    async (line) => {
      const { result, stopped } = await runStoppable<WorkerMessage>(
        new URL("./solve-main.js", import.meta.url),
        task,
        ({ progress }) => line.show(() => searchProgress(progress, amountOf(task.kind, progress))),
        { quiet, memoryLimitBytes, line },
      );
      return { ...(result as Extract<WorkerMessage, { type: K }>), stopped };
    },
    asLines,
  );
}

function amountOf(kind: WorkerTask["kind"], { plain }: SolveProgress): (value: number) => string {
  return kind === "solve" || plain === true ? plainNumber : milliseconds;
}

function plainNumber(value: number): string {
  return significant(value, 8);
}
