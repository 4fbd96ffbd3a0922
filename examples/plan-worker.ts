// The thread of serve-plans.ts: a plan computes in the thread that calls it, which answers nobody else meanwhile.
import { parentPort, workerData } from "node:worker_threads";
import { plan, type TablePlacementInput, tablePlacement } from "shardproof";

export interface Task {
  readonly input: TablePlacementInput;
  readonly timeLimitSeconds: number;
  /** One number, not 0 once somebody wants the search to stop. */
  readonly stop: SharedArrayBuffer;
}

const { input, timeLimitSeconds, stop } = workerData as Task;
const flag = new Int32Array(stop);
const result = await plan(tablePlacement(input), {
  timeLimitSeconds,
  shouldStop: () => Atomics.load(flag, 0) !== 0,
});
parentPort?.postMessage(result);
