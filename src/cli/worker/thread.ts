import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { startWork, type ThreadStart } from "./run-thread.js";

const port = parentPort as MessagePort;
const work = (start: ThreadStart) => startWork(start, (message) => port.postMessage(message));

// Where a thread of `runThread` starts: with its work, or before it is known, with what it is to load meanwhile.
if (workerData.loads === undefined) {
  await work(workerData);
} else {
  port.once("message", work);
  await (await import(workerData.loads)).load(workerData.command);
}
