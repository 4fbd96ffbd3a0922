import { setMaxListeners } from "node:events";
import type { Worker } from "node:worker_threads";
import type { JobLine } from "../../study/job.js";
import type { CheckedLine } from "../../study/row.js";
import type { WorkerFailure } from "./protocol.js";
import { startThread } from "./run-thread.js";

/** What a thread of a study does with every line: plan it, or check its result. */
interface Results {
  readonly run: string;
  readonly check: CheckedLine;
}

export interface StudyThread {
  readonly kind: keyof Results;
  readonly folder: string;
  /** That paths of instances are told from. */
  readonly cwd: string;
}

export type StudyMessage =
  | { readonly type: "done"; readonly result: Results[keyof Results] }
  | { readonly type: "failure"; readonly error: WorkerFailure };

/** A line with its place in the job. */
export interface PlacedLine {
  readonly index: number;
  readonly line: JobLine;
}

export interface PoolOptions<K extends keyof Results> extends StudyThread {
  readonly kind: K;
  readonly workers: number;
  /** Of all threads together. */
  readonly memoryLimitBytes: number;
  /** Ends all threads at once: what they have begun is lost, what is done stays. */
  readonly signal: AbortSignal;
  readonly onDone: (placed: PlacedLine, result: Results[K]) => Promise<void>;
  /** A line that failed; what is thrown here ends the pool. */
  readonly onFailure: (placed: PlacedLine, error: WorkerFailure | Error) => void;
}

/** Lines of one instance go to one thread, which reads it once: so many of them at a time. */
const MAX_TOGETHER = 16;

/** Works lines with some threads, each of which takes many. Ends when all are done, or with the signal. */
export async function runPool<K extends keyof Results>(
  lines: readonly PlacedLine[],
  options: PoolOptions<K>,
): Promise<void> {
  const queue = batches(lines);
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  // Each thread listens, and there may be more of them than Node expects of one signal.
  setMaxListeners(0, signal);
  const threads = Array.from({ length: Math.min(options.workers, queue.length) }, () =>
    workOff(queue, { ...options, signal }).catch((error: unknown) => {
      // The others have nothing left to do it for.
      failed.abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(threads);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

async function workOff<K extends keyof Results>(queue: PlacedLine[][], pool: PoolOptions<K>): Promise<void> {
  let thread: Thread<K> | null = null;
  try {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      for (const placed of batch) {
        if (pool.signal.aborted) return;
        thread ??= new Thread(pool);
        const answer = await thread.ask(placed);
        if (answer === "aborted") return;
        if (answer.kind === "done") await pool.onDone(placed, answer.result);
        else {
          // A thread that ended by itself is none any more.
          if (answer.isOver) thread = null;
          pool.onFailure(placed, answer.error);
        }
      }
    }
  } finally {
    await thread?.end();
  }
}

type Answer<K extends keyof Results> =
  | { readonly kind: "done"; readonly result: Results[K] }
  | { readonly kind: "failed"; readonly error: WorkerFailure | Error; readonly isOver: boolean }
  | "aborted";

/** A thread that is asked for one line after the other. */
class Thread<K extends keyof Results> {
  readonly #worker: Worker;
  #answer: (answer: Answer<K>) => void = () => {};

  constructor({ kind, folder, cwd, workers, memoryLimitBytes, signal }: PoolOptions<K>) {
    const data: StudyThread = { kind, folder, cwd };
    this.#worker = startThread(new URL("./study-main.js", import.meta.url), data, memoryLimitBytes / workers, (error) =>
      this.#answer({ kind: "failed", error, isOver: true }),
    );
    this.#worker.on("message", (message: StudyMessage) =>
      this.#answer(
        message.type === "done"
          ? { kind: "done", result: message.result as Results[K] }
          : { kind: "failed", error: message.error, isOver: false },
      ),
    );
    signal.addEventListener("abort", () => this.#answer("aborted"));
  }

  ask({ line }: PlacedLine): Promise<Answer<K>> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#worker.postMessage(line);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Neighbouring lines of one instance together. */
function batches(lines: readonly PlacedLine[]): PlacedLine[][] {
  const all: PlacedLine[][] = [];
  for (const placed of lines) {
    const last = all.at(-1);
    const isSame = last?.[0]?.line.instance.sha256 === placed.line.instance.sha256;
    if (last !== undefined && isSame && last.length < MAX_TOGETHER) last.push(placed);
    else all.push([placed]);
  }
  return all;
}
