import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Progress } from "../../optimize/branch-and-bound/search.js";
import type { FrontierProgress } from "../../optimize/row-tiers/frontier/frontier.js";
import type { PlanOptions } from "../../optimize/row-tiers/plan.js";
import type { SolveProgress, WorkerMessage, WorkerTask } from "./protocol.js";

/** Milliseconds between two reports of progress. */
const REPORT_MILLISECONDS = 200;

/** The thread that solves: the search does not return to the event loop, which the main thread keeps for signals. */
const port = parentPort as MessagePort;
const { kind, instance, standardInput, stop, ...options } = workerData as WorkerTask;
const flag = new Int32Array(stop);
const send = (message: WorkerMessage) => port.postMessage(message);

let reported = performance.now();
const report = (progress: () => SolveProgress) => {
  if (performance.now() - reported < REPORT_MILLISECONDS) return;
  reported = performance.now();
  send({ type: "progress", progress: progress() });
};

const shownProgress = ({ nodes, openNodes, incumbent, bound }: Progress): SolveProgress => ({
  nodes,
  openNodes,
  incumbent: incumbent?.toNumber() ?? null,
  bound: bound?.toNumber() ?? null,
});

/** Costs of placements and distances in towers are in no unit that the progress knows. */
let plain = false;

const planOptions: PlanOptions = {
  ...options,
  shouldStop: () => Atomics.load(flag, 0) !== 0,
  onProgress: (progress) => report(() => ({ ...shownProgress(progress), ...(plain ? { plain } : {}) })),
  ...(standardInput === undefined ? {} : { standardInput: async () => standardInput }),
};

try {
  // Each kind's code is loaded when it runs.
  if (kind === "plan" || kind === "compare") {
    const { comparePreparedInstance, planPreparedInstance, prepareInstance } = await import(
      "../../optimize/plan-instance.js"
    );
    const ready = await prepareInstance(instance, planOptions.standardInput);
    plain = ready.problem !== "row-tiers";
    if (kind === "plan") send({ type: "plan", plan: await planPreparedInstance(ready, planOptions) });
    else send({ type: "compare", comparison: await comparePreparedInstance(ready, planOptions) });
  } else if (kind === "frontier") {
    const { rowTiersFrontier } = await import("../../optimize/row-tiers/frontier/frontier.js");
    const onProgress = ({ point, points, ...progress }: FrontierProgress) =>
      report(() => ({ ...shownProgress(progress), part: `point ${point} of ${points}` }));
    send({ type: "frontier", frontier: await rowTiersFrontier(instance, { ...planOptions, onProgress }) });
  } else {
    const { solveModel } = await import("./solve-model.js");
    send({ type: "solve", ...(await solveModel(instance, planOptions)) });
  }
} catch (error) {
  const { name, message, kind, stack } = error as { name: string; message: string; kind?: string; stack?: string };
  send({
    type: "failure",
    error: { name, message, ...(kind === undefined ? {} : { kind }), ...(stack === undefined ? {} : { stack }) },
  });
}
