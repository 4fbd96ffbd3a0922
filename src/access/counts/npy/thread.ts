import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { InputError } from "../../../errors/input-error.js";
import { NoCount } from "./elements.js";
import { type Part, tallyPart } from "./part.js";
import type { ThreadAnswer } from "./threads.js";

/** The thread that tallies one part of a file. */
const port = parentPort as MessagePort;

port.postMessage(await answer());

async function answer(): Promise<ThreadAnswer> {
  try {
    return { kind: "tally", parts: (await tallyPart(workerData as Part)).parts() };
  } catch (error) {
    if (error instanceof NoCount) return { kind: "no-count", index: error.index, value: error.value };
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "failure", message, isInput: error instanceof InputError };
  }
}
