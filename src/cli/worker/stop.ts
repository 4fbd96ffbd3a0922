import { bytes } from "../../text/units.js";
import { MemoryLimitError } from "../terminal/memory-limit.js";
import type { StatusLine } from "../terminal/status-line.js";
import { EXIT, note } from "../terminal/streams.js";
import { runThread, type ThreadMessage } from "./run-thread.js";

/** What asks a thread to stop, as the flag has it that they share; 0: nothing yet. */
const STOPS = { 1: "interrupt", 2: "memory" } as const;

export type StopReason = (typeof STOPS)[keyof typeof STOPS];

/** The thread's side of the flag. */
export class StopFlag {
  readonly #flag: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#flag = new Int32Array(shared);
  }

  /** `null`: go on. */
  get reason(): StopReason | null {
    return STOPS[Atomics.load(this.#flag, 0) as keyof typeof STOPS] ?? null;
  }

  /** Asks to stop, unless that was done already; says whether this was the first time. */
  raise(reason: StopReason): boolean {
    return Atomics.compareExchange(this.#flag, 0, 0, reason === "interrupt" ? 1 : 2) === 0;
  }
}

export interface StoppableOptions {
  readonly quiet: boolean;
  readonly memoryLimitBytes: number;
  readonly line: Pick<StatusLine, "hide">;
}

/**
 * Runs a thread (see {@link runThread}) that is handed a flag (`stop`) beside its data. The first Ctrl-C raises it, and so
 * does memory that nears its limit: the thread then ends with the best that it has. The second Ctrl-C ends the process.
 *
 * Throws what the thread threw, and {@link MemoryLimitError} where memory ran out before it had ended.
 */
export async function runStoppable<Message extends { readonly type: string }>(
  entry: URL,
  data: object,
  onProgress: (message: Extract<Message, { type: "progress" }>) => void,
  { quiet, memoryLimitBytes, line }: StoppableOptions,
): Promise<{ readonly result: Exclude<Message, ThreadMessage>; readonly stopped: StopReason | null }> {
  const stop = new SharedArrayBuffer(4);
  const flag = new StopFlag(stop);
  const tell = (text: string) => {
    line.hide();
    note(text, quiet);
  };
  // Counted here and not by the flag, which memory may have raised.
  let interrupts = 0;
  const onInterrupt = () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(EXIT.interrupted);
    flag.raise("interrupt");
    tell("stopping with the best proved so far; press Ctrl-C again to end at once");
  };
  const outOfMemory = new AbortController();
  const memory = watchMemory(memoryLimitBytes, {
    onNear: () => {
      if (flag.raise("memory"))
        tell(`${bytes(memoryLimitBytes)} of memory are nearly used: stopping with the best proved so far`);
    },
    onOver: () => outOfMemory.abort(new MemoryLimitError(memoryLimitBytes)),
  });
  process.on("SIGINT", onInterrupt);
  try {
    const limits = { memoryLimitBytes, signal: outOfMemory.signal };
    const result = await runThread<Message>(entry, { ...data, stop }, onProgress, limits);
    return { result, stopped: flag.reason };
  } finally {
    memory.end();
    process.off("SIGINT", onInterrupt);
  }
}

/** Between two looks at the memory that is used. */
const MILLISECONDS = 100;

/**
 * The share of the limit at which work is asked to end: what is proved has still to be checked and written. One thread's
 * heap may grow beyond it without a look, so that is not late either.
 */
const NEAR = 0.7;

interface MemoryEvents {
  /** Once, as memory nears its limit. */
  readonly onNear: () => void;
  /** Once, as it goes beyond. */
  readonly onOver: () => void;
}

/**
 * Watches the memory of the process: all threads' heaps, the solvers' and whatever else is resident. `read` says how many
 * bytes that is.
 */
export function watchMemory(
  limitBytes: number,
  { onNear, onOver }: MemoryEvents,
  read: () => number = () => process.memoryUsage.rss(),
): { end(): void } {
  let isNear = false;
  const timer = setInterval(() => {
    const used = read();
    if (!isNear && used > NEAR * limitBytes) {
      isNear = true;
      onNear();
    }
    if (used <= limitBytes) return;
    clearInterval(timer);
    onOver();
  }, MILLISECONDS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}
