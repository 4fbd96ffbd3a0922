import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { RawAnswer, RunOptions, ScaledModel } from "../scaled-model.js";
import { SolverError } from "../solver-error.js";
import type { InjectedFault, WorkerBackend, WorkerReply, WorkerRequest, WorkerSettings } from "./protocol.js";

export interface WorkerClientOptions {
  /** How long a solver may take to stop once asked, before its thread is ended; default 2. */
  readonly graceSeconds?: number;
  /**
   * Whether the solver looks at the stop flag; one that does not is ended at once on an
   * abort, and 0.5 s after a time limit. Default true.
   */
  readonly stoppable?: boolean;
  /** For tests: makes the next requests fail, one fault per request. */
  readonly faults?: InjectedFault[];
}

/** Beyond this the worker is not kept for the next solve: WebAssembly memory never shrinks. */
const DISCARD_BYTES = 512 * 2 ** 20;

/**
 * Runs a solver in a thread of its own, kept between solves and replaced after a crash, a forced end or a solve that
 * left it with much memory. An idle thread does not keep the process alive.
 */
export class WorkerClient {
  readonly #backend: WorkerBackend;
  readonly #options: WorkerClientOptions;
  readonly #stop = new SharedArrayBuffer(4);
  #worker: Worker | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #closed = false;

  constructor(backend: WorkerBackend, options: WorkerClientOptions = {}) {
    this.#backend = backend;
    this.#options = options;
  }

  /** Starts the thread and loads the solver. Throws `SolverError`, kind `missing` when it is not installed. */
  async start(): Promise<void> {
    if (this.#closed) throw new SolverError("unsupported", "this solver is closed; open another one");
    if (this.#worker !== undefined) return;
    const settings: WorkerSettings = { backend: this.#backend, stop: this.#stop };
    // Its output is kept from the process's own: standard output carries results alone.
    const worker = new Worker(workerUrl(), { workerData: settings, stdout: true, stderr: true, execArgv: [] });
    let unwatch = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        unwatch = watch(worker, reject, (reply) => {
          if (reply.type === "ready") resolve();
          else if (reply.type === "failure") reject(new SolverError(reply.kind, reply.message));
        });
      });
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      unwatch();
    }
    // Between solves nobody watches, and an "error" without a listener would end the process.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    this.#worker = worker;
  }

  /** Solves one model; calls wait for those before them. The time limit is counted from when its turn comes. */
  solve(model: ScaledModel, options: RunOptions, signal?: AbortSignal): Promise<RawAnswer> {
    const turn = this.#queue.then(() => this.#solveNow(model, options, signal));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#discard();
  }

  async #solveNow(model: ScaledModel, options: RunOptions, signal?: AbortSignal): Promise<RawAnswer> {
    if (signal?.aborted) return { status: "unknown", limitReached: "interrupt" };
    await this.start();
    const worker = this.#worker as Worker;
    const flag = new Int32Array(this.#stop);
    Atomics.store(flag, 0, 0);
    const { graceSeconds = 2, stoppable = true } = this.#options;
    // One that cannot be asked still gets a moment to answer when its own clock strikes.
    const timeGrace = stoppable ? graceSeconds : Math.min(graceSeconds, 0.5);
    const abortGrace = stoppable ? graceSeconds : 0;
    let limit: "time" | "interrupt" | undefined;
    let incumbent: { point: Float64Array; objective: number } | undefined;
    const timers: NodeJS.Timeout[] = [];
    let onAbort = () => {};
    let unwatch = () => {};
    worker.ref();
    try {
      const reply = await new Promise<Extract<WorkerReply, { type: "answer" }> | undefined>((resolve, reject) => {
        const askToStop = (why: "time" | "interrupt") => {
          limit ??= why;
          Atomics.store(flag, 0, 1);
          timers.push(setTimeout(() => resolve(undefined), (why === "time" ? timeGrace : abortGrace) * 1000));
        };
        onAbort = () => askToStop("interrupt");
        signal?.addEventListener("abort", onAbort, { once: true });
        if (options.timeLimitSeconds !== undefined) {
          // Node's timers end at 2^31 ms; a limit beyond 24 days is none.
          const milliseconds = options.timeLimitSeconds * 1000;
          if (milliseconds < 2 ** 31) timers.push(setTimeout(() => askToStop("time"), milliseconds));
        }
        const id = this.#nextId++;
        unwatch = watch(worker, reject, (message) => {
          if (message.type === "incumbent" && message.id === id) incumbent = message;
          else if (message.type === "answer" && message.id === id) resolve(message);
          else if (message.type === "failure") reject(new SolverError(message.kind, message.message));
        });
        const fault = this.#options.faults?.shift();
        const request: WorkerRequest = { id, model, options, ...(fault && { fault }) };
        worker.postMessage(request);
      });
      if (reply === undefined) {
        await this.#discard();
        const limitReached = limit ?? "interrupt";
        return incumbent
          ? { status: "feasible", point: incumbent.point, objective: incumbent.objective, limitReached }
          : { status: "unknown", limitReached };
      }
      if (reply.memoryBytes > DISCARD_BYTES) await this.#discard();
      // Asked to stop at the time limit, the solver itself speaks of an interrupt.
      const { answer } = reply;
      return answer.limitReached === "interrupt" && limit ? { ...answer, limitReached: limit } : answer;
    } catch (error) {
      await this.#discard();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      unwatch();
      worker.unref();
    }
  }

  async #discard(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Listens to a worker until the function returned is called. */
function watch(worker: Worker, fail: (error: SolverError) => void, onReply: (reply: WorkerReply) => void): () => void {
  const onUnreadable = (error: Error) => fail(new SolverError("crash", "the solver's answer was unreadable", error));
  const onError = (error: Error & { code?: string }) => {
    const kind = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out-of-memory" : "crash";
    fail(new SolverError(kind, `the solver's thread failed: ${error.message.slice(0, 200)}`, error));
  };
  const onExit = (code: number) => fail(new SolverError("crash", `the solver's thread ended by itself (code ${code})`));
  worker.on("message", onReply);
  worker.on("messageerror", onUnreadable);
  worker.on("error", onError);
  worker.on("exit", onExit);
  return () => {
    worker.off("message", onReply);
    worker.off("messageerror", onUnreadable);
    worker.off("error", onError);
    worker.off("exit", onExit);
  };
}

/**
 * Where the worker's program lies. Beside this module once built; when this module runs as TypeScript source (under
 * vitest), a worker thread of Node 20 could not read its neighbour, and the built one in dist/ is used.
 */
export function workerUrl(moduleUrl: string = import.meta.url): URL {
  if (!moduleUrl.endsWith(".ts")) return new URL("./main.js", moduleUrl);
  const built = new URL("../../../dist/src/solvers/worker/main.js", moduleUrl);
  if (!existsSync(built)) throw new SolverError("missing", "the solver's worker is not built; run `npm run build`");
  return built;
}
