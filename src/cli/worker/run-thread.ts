import { Worker } from "node:worker_threads";
import type { WorkerFailure } from "./protocol.js";

/** What a thread may say beside its result. */
type ThreadMessage = { readonly type: "progress" } | { readonly type: "failure"; readonly error: WorkerFailure };

/**
 * Runs a thread until it sends a message that is neither progress nor a failure, which is the result. Throws what the thread
 * threw, with its name and message.
 */
export async function runThread<Message extends { readonly type: string }>(
  entry: URL,
  workerData: unknown,
  onProgress: (message: Extract<Message, { type: "progress" }>) => void,
): Promise<Exclude<Message, ThreadMessage>> {
  const worker = new Worker(entry, { workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.on("message", (message: Message) => {
        if (message.type === "progress") onProgress(message as Extract<Message, { type: "progress" }>);
        else if (message.type === "failure") reject((message as unknown as { error: WorkerFailure }).error);
        else resolve(message as Exclude<Message, ThreadMessage>);
      });
      worker.on("error", reject);
      worker.on("exit", (code) => reject(new Error(`the working thread ended by itself (code ${code})`)));
    });
  } finally {
    await worker.terminate();
  }
}

/** An error as a thread sends it. */
export function failureMessage(error: unknown): { readonly type: "failure"; readonly error: WorkerFailure } {
  const { name, message, kind, stack } = error as { name: string; message: string; kind?: string; stack?: string };
  const own = { ...(kind === undefined ? {} : { kind }), ...(stack === undefined ? {} : { stack }) };
  return { type: "failure", error: { name, message, ...own } };
}
