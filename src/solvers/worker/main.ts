import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { SolverError } from "../solver-error.js";
import type { WorkerReply, WorkerRequest, WorkerRunner, WorkerSettings } from "./protocol.js";

/** The thread in which a WebAssembly solver runs: started by WorkerClient, it answers one request after the other. */
async function serve(): Promise<void> {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const { backend, stop } = workerData as WorkerSettings;
  const flag = new Int32Array(stop);
  const reply = (message: WorkerReply) => port.postMessage(message);
  let runner: WorkerRunner;
  try {
    runner =
      backend === "highs"
        ? await (await import("./highs-runner.js")).highsRunner()
        : await (await import("./glpk-runner.js")).glpkRunner();
  } catch (error) {
    const kind = error instanceof SolverError ? error.kind : "crash";
    reply({ type: "failure", kind, message: error instanceof Error ? error.message.slice(0, 500) : String(error) });
    return;
  }
  port.on("message", ({ id, model, options, fault }: WorkerRequest) => {
    try {
      // See InjectedFault: only tests send one.
      if (fault === "abort") throw Object.assign(new Error("Aborted()"), { name: "RuntimeError" });
      while (fault === "hang");
      if (fault === "exit") return port.close();
      const answer = runner.run(model, options, {
        shouldStop: () => Atomics.load(flag, 0) !== 0,
        onIncumbent: (point, objective) => reply({ type: "incumbent", id, point, objective }),
      });
      reply({ type: "answer", id, answer, memoryBytes: runner.memoryBytes() });
    } catch (error) {
      reply({ type: "failure", ...runner.failure(error) });
    }
  });
  reply({ type: "ready" });
}

void serve();
