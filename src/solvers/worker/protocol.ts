import type { RawAnswer, RunOptions, ScaledModel } from "../scaled-model.js";
import type { SolverErrorKind } from "../solver-error.js";

export type WorkerBackend = "highs" | "glpk";

/** Handed to the worker at its start. */
export interface WorkerSettings {
  readonly backend: WorkerBackend;
  /** One 32-bit flag, shared: not zero asks the solver to stop. */
  readonly stop: SharedArrayBuffer;
}

/**
 * A failure made to happen, so that tests can see what a caller sees: `abort` throws what an aborted WebAssembly module
 * throws, `exit` ends the thread, `hang` computes for ever without looking at the stop flag.
 */
export type InjectedFault = "abort" | "exit" | "hang";

export interface WorkerRequest {
  readonly id: number;
  readonly model: ScaledModel;
  readonly options: RunOptions;
  readonly fault?: InjectedFault;
}

export type WorkerReply =
  | { readonly type: "ready" }
  | { readonly type: "answer"; readonly id: number; readonly answer: RawAnswer; readonly memoryBytes: number }
  | { readonly type: "incumbent"; readonly id: number; readonly point: Float64Array; readonly objective: number }
  | { readonly type: "failure"; readonly kind: SolverErrorKind; readonly message: string };

/** A solver inside the worker. */
export interface WorkerRunner {
  run(
    model: ScaledModel,
    options: RunOptions,
    hooks: { shouldStop(): boolean; onIncumbent(point: Float64Array, objective: number): void },
  ): RawAnswer;
  memoryBytes(): number;
  /** Words for what `run` threw. */
  failure(error: unknown): { readonly kind: SolverErrorKind; readonly message: string };
}
