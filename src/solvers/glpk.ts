import type { Solver } from "./claim.js";
import { scaledSolver } from "./scaled-solver.js";
import { WorkerClient, type WorkerClientOptions } from "./worker/worker-client.js";

/**
 * GLPK (GPL-3.0: an optional dependency, loaded only when asked for), compiled to WebAssembly and run in a worker
 * thread: simplex, and branch and bound.
 *
 * Gives points and duals of linear programs; no bound, nodes or incumbent of a mixed-integer solve, and takes no start,
 * seed, absolute gap or method. It cannot be asked to stop: at its own time limit it does so, on an abort its thread is
 * ended. Throws `SolverError` (`missing`) when the package is not installed.
 */
export async function openGlpk(options: WorkerClientOptions = {}): Promise<Solver> {
  const client = new WorkerClient("glpk", { stoppable: false, ...options });
  await client.start();
  return scaledSolver("glpk", {
    solve: ({ model }, runOptions, signal) => client.solve(model, runOptions, signal),
    close: () => client.close(),
  });
}
