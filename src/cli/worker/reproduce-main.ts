import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type ReproduceMessage, type ReproduceTask, reproducePapers } from "../commands/reproduced.js";
import { failureMessage } from "./run-thread.js";
import { StopFlag } from "./stop.js";

/** The thread that reproduces: it does not return to the event loop, which the main thread keeps for signals. */
const port = parentPort as MessagePort;
const { stop, ...task } = workerData as ReproduceTask & { readonly stop: SharedArrayBuffer };
const flag = new StopFlag(stop);
const send = (message: ReproduceMessage) => port.postMessage(message);

try {
  const reproduced = await reproducePapers(task, {
    shouldStop: () => flag.reason !== null,
    tell: (what) => send({ type: "progress", what }),
  });
  send({ type: "reproduced", reproduced });
} catch (error) {
  send(failureMessage(error));
}
