// A plan inside a service: in a thread of its own, with a time limit, stopped when the caller gives up, and every status
// answered. What are two calls here would be two requests.
import { Worker } from "node:worker_threads";
import type { TablePlacementInput, TablePlacementPlan } from "shardproof";
import type { Task } from "./plan-worker.js";

/** Plans beside whatever else the process does; once `signal` aborts, the answer is the best proved by then. */
function planBeside(input: TablePlacementInput, timeLimitSeconds: number, signal: AbortSignal) {
  const stop = new SharedArrayBuffer(4);
  const task: Task = { input, timeLimitSeconds, stop };
  const worker = new Worker(new URL("./plan-worker.js", import.meta.url), { workerData: task });
  const abort = () => Atomics.store(new Int32Array(stop), 0, 1);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  return new Promise<TablePlacementPlan>((resolve, reject) => {
    worker.once("message", resolve);
    // An InputError for a bad instance: its message says which key.
    worker.once("error", reject);
  }).finally(() => signal.removeEventListener("abort", abort));
}

function answer(plan: TablePlacementPlan): string {
  switch (plan.status) {
    case "proved":
      return `200 the best: ${plan.objective.value} on ${plan.devices.length} devices`;
    case "feasible": {
      const { value, gap } = plan.objective;
      return `200 ${value}, at most ${(100 * gap).toFixed(1)} % above the best`;
    }
    case "unknown":
      return plan.devices === null ? "504 nothing found in time" : `200 ${plan.objective.value}, without a bound`;
    case "infeasible":
      return `422 ${plan.infeasibility.explanation}`;
    case "heuristic":
      return `200 ${plan.objective.value}, by ${plan.method}`;
  }
}

const tables = Array.from({ length: 20 }, (_, t) => ({
  name: `t${t}`,
  cost: 100 + ((37 * t) % 101),
  bytes: 1_000_000,
}));
const cluster = { nodes: 1, gpusPerNode: 4, hbmBytesPerGpu: 6_000_000 };
const request: TablePlacementInput = { name: "request", costModel: "given", cluster, tables };

console.log(answer(await planBeside(request, 20, AbortSignal.timeout(15_000))));
// Less memory: the answer is a proof that there is no plan, and why.
const tight = { ...cluster, hbmBytesPerGpu: 4_500_000 };
console.log(answer(await planBeside({ ...request, cluster: tight }, 20, AbortSignal.timeout(15_000))));
