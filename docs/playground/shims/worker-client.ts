import type { RawAnswer, RunOptions, ScaledModel } from "../../../src/solvers/scaled-model.js";
import { SolverError } from "../../../src/solvers/solver-error.js";
import { highsRunner } from "../../../src/solvers/worker/highs-runner.js";
import type { WorkerBackend, WorkerRunner } from "../../../src/solvers/worker/protocol.js";
import type { WorkerClientOptions } from "../../../src/solvers/worker/worker-client.js";

export type { WorkerClientOptions };

/**
 * src/solvers/worker's client for a page: the search is in a worker already, and HiGHS runs in that one. It stops by its
 * own clock. GLPK is left out: under the GPL, it would put the whole page there.
 */
export class WorkerClient {
  readonly #backend: WorkerBackend;
  #runner: WorkerRunner | undefined;

  constructor(backend: WorkerBackend) {
    this.#backend = backend;
  }

  async start(): Promise<void> {
    if (this.#backend !== "highs") throw new SolverError("missing", `this page has HiGHS, not ${this.#backend}`);
    this.#runner ??= await highsRunner();
  }

  async solve(model: ScaledModel, options: RunOptions, signal?: AbortSignal): Promise<RawAnswer> {
    if (signal?.aborted) return { status: "unknown", limitReached: "interrupt" };
    await this.start();
    const runner = this.#runner as WorkerRunner;
    const end = performance.now() + (options.timeLimitSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    let isLate = false;
    try {
      const answer = runner.run(model, options, {
        shouldStop: () => {
          isLate = performance.now() > end;
          return isLate;
        },
        onIncumbent: () => {},
      });
      return answer.limitReached === "interrupt" && isLate ? { ...answer, limitReached: "time" } : answer;
    } catch (error) {
      this.#runner = undefined;
      const { kind, message } = runner.failure(error);
      throw new SolverError(kind, message, error instanceof Error ? error : undefined);
    }
  }

  async close(): Promise<void> {
    this.#runner = undefined;
  }
}
