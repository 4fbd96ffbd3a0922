import { Worker } from "node:worker_threads";
import type { Evidence } from "../../errors/contradiction-error.js";
import { MemoryLimitError } from "../terminal/memory-limit.js";
import type { WorkerFailure } from "./protocol.js";

/** A thread needs about this much to load its code, in MiB. */
const MIN_HEAP_MB = 64;

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
  const heap = limits && { maxOldGenerationSizeMb: Math.max(MIN_HEAP_MB, limits.memoryLimitBytes / 2 ** 20) };
  const options = { workerData: start, ...(heap && { resourceLimits: heap }) };
  const worker = isHere ? null : new Worker(new URL("./thread.js", import.meta.url), options);
  try {
    return await new Promise((resolve, reject) => {
      limits?.signal.addEventListener("abort", () => reject(limits.signal.reason), { once: true });
      const take = (message: Message) => {
        if (message.type === "progress") onProgress(message as Extract<Message, { type: "progress" }>);
        else if (message.type === "failure") reject((message as unknown as { error: WorkerFailure }).error);
        else resolve(message as Exclude<Message, ThreadMessage>);
      };
      worker?.on("message", take);
      worker?.on("error", (error: Error & { readonly code?: string }) =>
        reject(limits && error.code === OUT_OF_MEMORY ? new MemoryLimitError(limits.memoryLimitBytes) : error),
      );
      worker?.on("exit", (code) => reject(new Error(`the working thread ended by itself (code ${code})`)));
      // Messages are copies here too.
      if (worker === null) void startWork(start, (message) => take(structuredClone(message as Message)));
    });
  } finally {
    await worker?.terminate();
  }
}

/** Does the work of a thread: what it throws is its last message. */
export async function startWork({ entry, data }: ThreadStart, send: Send<unknown>): Promise<void> {
  try {
    const { work } = (await import(entry)) as { readonly work: Work };
    await work(data, send);
  } catch (error) {
    send(failureMessage(error));
  }
}

/** An error as a thread sends it. */
export function failureMessage(error: unknown): { readonly type: "failure"; readonly error: WorkerFailure } {
  const { name, message, kind, evidence, stack } = error as WorkerFailure;
  const own = {
    ...(kind === undefined ? {} : { kind }),
    // By way of JSON: what is no plain data does not cross threads.
    ...(evidence === undefined ? {} : { evidence: JSON.parse(JSON.stringify(evidence)) as Evidence }),
    ...(stack === undefined ? {} : { stack }),
  };
  return { type: "failure", error: { name, message, ...own } };
}
