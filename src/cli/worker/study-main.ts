import { relative } from "node:path";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { JobLine } from "../../study/job.js";
import { LineChecker, LineWorker } from "../../study/lines.js";
import { failureMessage } from "./run-thread.js";
import type { StudyMessage, StudyThread } from "./study-pool.js";

/** A thread that takes lines of a study, one after the other, until it is ended. */
const port = parentPort as MessagePort;
const { kind, folder, cwd } = workerData as StudyThread;
const send = (message: StudyMessage) => port.postMessage(message);

// As the command line would name it: what plan files say of their instance.
const worker = new LineWorker(folder, (file) => relative(cwd, file) || file);
const checker = new LineChecker(folder);

port.on("message", async (line: JobLine) => {
  try {
    send({ type: "done", result: kind === "run" ? await worker.work(line) : await checker.check(line) });
  } catch (error) {
    send(failureMessage(error));
  }
});
