import type { Solver } from "./claim.js";
import { scaledSolver } from "./scaled-solver.js";
import { WorkerClient, type WorkerClientOptions } from "./worker/worker-client.js";

/**
 * HiGHS (MIT; J. A. J. Hall and others, Edinburgh), compiled to WebAssembly and run in a worker thread: simplex,
 * interior point, branch and cut. One thread; its memory ends at 2 GiB (about 310 bytes per non-zero).
 *
 * Gives points, duals of linear programs, bounds and nodes of mixed-integer ones; takes a start.
 */
export async function openHighs(options: WorkerClientOptions = {}): Promise<Solver> {
  const client = new WorkerClient("highs", options);
  await client.start();
  return scaledSolver("highs", {
    solve: ({ model }, runOptions, signal) => client.solve(model, runOptions, signal),
    close: () => client.close(),
  });
}
