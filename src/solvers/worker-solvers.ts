import type { Solver } from "./claim.js";
import { scaledSolver } from "./native.js";
import type { WorkerBackend } from "./worker/protocol.js";
import { WorkerClient, type WorkerClientOptions } from "./worker/worker-client.js";

/**
 * HiGHS (MIT; J. A. J. Hall and others, Edinburgh), compiled to WebAssembly and run in a worker thread: simplex,
 * interior point, branch and cut. One thread; its memory ends at 2 GiB (about 310 bytes per non-zero).
 *
 * Gives points, duals of linear programs, bounds and nodes of mixed-integer ones; takes a start.
 */
export function openHighs(options: WorkerClientOptions = {}): Promise<Solver> {
  return openWorker("highs", options);
}

/**
 * GLPK (GPL-3.0: an optional dependency, loaded only when asked for), compiled to WebAssembly and run in a worker
 * thread: simplex, and branch and bound.
 *
 * Gives points and duals of linear programs; no bound, nodes or incumbent of a mixed-integer solve, and takes no start,
 * seed, absolute gap or method. It cannot be asked to stop: at its own time limit it does so, on an abort its thread is
 * ended. Throws `SolverError` (`missing`) when the package is not installed.
 */
export function openGlpk(options: WorkerClientOptions = {}): Promise<Solver> {
  return openWorker("glpk", { stoppable: false, ...options });
}

async function openWorker(backend: WorkerBackend, options: WorkerClientOptions): Promise<Solver> {
  const client = new WorkerClient(backend, options);
  await client.start();
  return scaledSolver(backend, {
    solve: ({ model }, runOptions, signal) => client.solve(model, runOptions, signal),
    close: () => client.close(),
  });
}
