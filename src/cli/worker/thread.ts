import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { startWork, type ThreadStart } from "./run-thread.js";

/** Where a thread of `runThread` starts. */
await startWork(workerData as ThreadStart, (message) => (parentPort as MessagePort).postMessage(message));
