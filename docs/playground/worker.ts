import type { BrowserReply } from "../../src/browser/protocol.js";
import { solveText } from "../../src/browser/solve-text.js";
import type { WorkerMessage } from "./search.js";
import { wasFileRefused } from "./shims/files.js";
import { provideHighs } from "./shims/highs.js";

/** The worker: one text to solve, then it is over. The page ends it. */
addEventListener("message", ({ data: { task, highs, going } }: MessageEvent<WorkerMessage>) => {
  provideHighs(highs);
  void solveText({ ...task, shouldStop: untilGone(going) }, (reply: BrowserReply) => postMessage(advised(reply)));
});

/** Where a file was asked for, what the message of the command line says of paths is of no use. */
function advised(reply: BrowserReply): BrowserReply {
  if (reply.type !== "failure" || !wasFileRefused()) return reply;
  const message = `${reply.message}. This page opens no other files: plan this instance with the command line`;
  return { ...reply, message };
}

/** How often it is asked whether to go on. */
const ASKED_MILLISECONDS = 250;

/** Whether an address cannot be read any more; never where a browser refuses such reading from the beginning. */
function untilGone(address: string): () => boolean {
  if (!isThere(address)) return () => false;
  let asked = performance.now();
  let isGone = false;
  return () => {
    if (isGone || performance.now() - asked < ASKED_MILLISECONDS) return isGone;
    isGone = !isThere(address);
    asked = performance.now();
    return isGone;
  };
}

function isThere(address: string): boolean {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", address, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}
