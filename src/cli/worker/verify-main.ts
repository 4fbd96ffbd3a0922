import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type VerifyRequest, verifyText } from "../commands/verify-text.js";
import { failureMessage } from "./run-thread.js";
import type { VerifyMessage } from "./verify-client.js";

/** The thread that verifies: it does not return to the event loop, which the main thread keeps for signals. */
const port = parentPort as MessagePort;
const send = (message: VerifyMessage) => port.postMessage(message);

try {
  const verification = await verifyText(workerData as VerifyRequest, (progress) =>
    send({ type: "progress", progress }),
  );
  send({ type: "verification", verification });
} catch (error) {
  send(failureMessage(error));
}
