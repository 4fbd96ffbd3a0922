import { Worker } from "node:worker_threads";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";

/** A thread needs about this much to load its code, in MiB. */
const MIN_HEAP_MB = 64;

/** Commands that work in a thread of solve-main.ts. */
const COMMANDS: readonly string[] = ["plan", "compare", "explain", "frontier", "solve"];

/** Options with which there is no work, or not within the limit that is the default. */
const OTHERWISE = /^(--help|-h|--memory-limit(=.*)?)$/;

/** A thread that has no work yet, and the limit of its heap. */
export interface ThreadAhead {
  readonly worker: Worker;
  readonly memoryLimitBytes: number;
}

/**
 * Starts the thread of the command in `argv` before the command line is read: loading the code of both takes as long as a small
 * plan, and so they load side by side. It waits for its work (`useThread`), and holds up no exit. `null`: the command has none.
 */
export function startAhead([command = "", ...rest]: readonly string[]): ThreadAhead | null {
  if (!COMMANDS.includes(command) || rest.some((option) => OTHERWISE.test(option))) return null;
  const memoryLimitBytes = defaultMemoryLimit();
  const loads = new URL("./solve-main.js", import.meta.url).href;
  const worker = openThread(new URL("./thread.js", import.meta.url), { loads, command }, memoryLimitBytes);
  // Where it ends without work, another is started.
  worker.on("error", () => {});
  worker.unref();
  return { worker, memoryLimitBytes };
}

/** Opens a thread with the module at `entry`; its heap has the limit. */
export function openThread(entry: URL, workerData: unknown, memoryLimitBytes: number | undefined): Worker {
  const heap = memoryLimitBytes && { maxOldGenerationSizeMb: Math.max(MIN_HEAP_MB, memoryLimitBytes / 2 ** 20) };
  return new Worker(entry, { workerData, ...(heap && { resourceLimits: heap }) });
}
