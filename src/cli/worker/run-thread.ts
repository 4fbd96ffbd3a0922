import { Worker } from "node:worker_threads";
import type { Evidence } from "../../errors/contradiction-error.js";
import { MemoryLimitError } from "../terminal/memory-limit.js";
import type { WorkerFailure } from "./protocol.js";

/** A thread needs about this much to load its code, in MiB. */
const MIN_HEAP_MB = 64;

const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** What a thread may say beside its result. */
export type ThreadMessage = { readonly type: "progress" } | { readonly type: "failure"; readonly error: WorkerFailure };

/** What a thread may use. */
export interface ThreadLimits {
  /** Its heap ends with a {@link MemoryLimitError} and not with the process. */
  readonly memoryLimitBytes: number;
  /** Ends the thread at once; its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * Runs a thread until it sends a message that is neither progress nor a failure, which is the result. Throws what the thread
 * threw, with its name and message.
 */
export async function runThread<Message extends { readonly type: string }>(
  entry: URL,
  workerData: unknown,
  onProgress: (message: Extract<Message, { type: "progress" }>) => void,
  limits?: ThreadLimits,
): Promise<Exclude<Message, ThreadMessage>> {
  const heap = limits && { maxOldGenerationSizeMb: Math.max(MIN_HEAP_MB, limits.memoryLimitBytes / 2 ** 20) };
  const worker = new Worker(entry, { workerData, ...(heap && { resourceLimits: heap }) });
  try {
    return await new Promise((resolve, reject) => {
      limits?.signal.addEventListener("abort", () => reject(limits.signal.reason), { once: true });
      worker.on("message", (message: Message) => {
        if (message.type === "progress") onProgress(message as Extract<Message, { type: "progress" }>);
        else if (message.type === "failure") reject((message as unknown as { error: WorkerFailure }).error);
        else resolve(message as Exclude<Message, ThreadMessage>);
      });
      worker.on("error", (error: Error & { readonly code?: string }) =>
        reject(limits && error.code === OUT_OF_MEMORY ? new MemoryLimitError(limits.memoryLimitBytes) : error),
      );
      worker.on("exit", (code) => reject(new Error(`the working thread ended by itself (code ${code})`)));
    });
  } finally {
    await worker.terminate();
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
