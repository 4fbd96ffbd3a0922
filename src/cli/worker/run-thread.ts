import type { Worker } from "node:worker_threads";
import type { Evidence } from "../../errors/contradiction-error.js";
import { given } from "../../input/given.js";
import { MemoryLimitError } from "../terminal/memory-limit.js";
import { optimiseLate } from "../v8-tiering.js";
import { openThread, type ThreadAhead } from "./ahead.js";
import type { WorkerFailure } from "./protocol.js";

const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** What a thread may say beside its result. */
export type ThreadMessage = { readonly type: "progress" } | { readonly type: "failure"; readonly error: WorkerFailure };

/** How a thread tells its client what it has. */
export type Send<Message> = (message: Message) => void;

/** What a thread's module exports as `work`: it ends with the message that is the result. */
export type Work = (data: unknown, send: Send<unknown>) => Promise<void>;

/** What a thread is started with: the address of its module, and what `work` is handed. */
export interface ThreadStart {
  readonly entry: string;
  readonly data: unknown;
}

/** What a thread may use. */
export interface ThreadLimits {
  /** Its heap ends with a {@link MemoryLimitError} and not with the process. */
  readonly memoryLimitBytes: number;
  /** Ends the thread at once; its reason is thrown. */
  readonly signal: AbortSignal;
}

let isHere = false;

/** A thread that waits for its work. */
let ahead: ThreadAhead | null = null;

/** The next thread with its limit of memory is this one. */
export function useThread(started: ThreadAhead | null): void {
  ahead = started;
}

/**
 * From now on work is done where it is asked for, without threads: for a process that runs many commands one after the other.
 * Signals and limits of memory wait for its end.
 */
export function workHere(): void {
  isHere = true;
}

/**
 * Runs the `work` of a module in a thread until it sends a message that is neither progress nor a failure, which is the result.
 * Throws what the thread threw, with its name and message.
 */
export async function runThread<Message extends { readonly type: string }>(
  entry: URL,
  data: unknown,
  onProgress: (message: Extract<Message, { type: "progress" }>) => void,
  limits?: ThreadLimits,
): Promise<Exclude<Message, ThreadMessage>> {
  const start: ThreadStart = { entry: entry.href, data };
  let worker: Worker | null = null;
  try {
    return await new Promise((resolve, reject) => {
      limits?.signal.addEventListener("abort", () => reject(limits.signal.reason), { once: true });
      const take = (message: Message) => {
        if (message.type === "progress") onProgress(message as Extract<Message, { type: "progress" }>);
        else if (message.type === "failure") reject((message as unknown as { error: WorkerFailure }).error);
        else resolve(message as Exclude<Message, ThreadMessage>);
      };
      // Messages are copies here too.
      if (isHere) void startWork(start, (message) => take(structuredClone(message as Message)));
      else worker = threadFor(start, limits?.memoryLimitBytes, reject).on("message", take);
    });
  } finally {
    await (worker as Worker | null)?.terminate();
  }
}

/** The thread that waits, where it has this limit and has not ended, or a new one. */
function threadFor(start: ThreadStart, memoryLimitBytes: number | undefined, onEnd: (error: Error) => void): Worker {
  const taken = ahead;
  ahead = null;
  if (taken === null || taken.memoryLimitBytes !== memoryLimitBytes || taken.worker.threadId < 0) {
    return startThread(new URL("./thread.js", import.meta.url), start, memoryLimitBytes, onEnd);
  }
  taken.worker.ref();
  taken.worker.postMessage(start);
  return watched(taken.worker, memoryLimitBytes, onEnd);
}

/**
 * Starts a thread with the module at `entry`. Its heap ends with a {@link MemoryLimitError}, where there is a limit, and not with
 * the process; `onEnd` is told that, what else ends it, and that it ended by itself.
 */
export function startThread(
  entry: URL,
  workerData: unknown,
  memoryLimitBytes: number | undefined,
  onEnd: (error: Error) => void,
): Worker {
  return watched(openThread(entry, workerData, memoryLimitBytes), memoryLimitBytes, onEnd);
}

function watched(worker: Worker, memoryLimitBytes: number | undefined, onEnd: (error: Error) => void): Worker {
  worker.on("error", (error: Error & { readonly code?: string }) =>
    onEnd(memoryLimitBytes && error.code === OUT_OF_MEMORY ? new MemoryLimitError(memoryLimitBytes) : error),
  );
  return worker.on("exit", (code) => onEnd(new Error(`the working thread ended by itself (code ${code})`)));
}

/** Does the work of a thread: what it throws is its last message. */
export async function startWork({ entry, data }: ThreadStart, send: Send<unknown>): Promise<void> {
  try {
    const { work } = (await import(entry)) as { readonly work: Work };
    optimiseLate();
    await work(data, send);
  } catch (error) {
    send(failureMessage(error));
  }
}

/** An error as a thread sends it. */
export function failureMessage(error: unknown): { readonly type: "failure"; readonly error: WorkerFailure } {
  const { name, message, kind, evidence, stack } = error as WorkerFailure;
  // By way of JSON: what is no plain data does not cross threads.
  const plain = evidence && (JSON.parse(JSON.stringify(evidence)) as Evidence);
  return { type: "failure", error: { name, message, ...given({ kind, evidence: plain, stack }) } };
}
