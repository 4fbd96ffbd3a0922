import type { BrowserReply } from "../../src/browser/protocol.js";
import { solveText } from "../../src/browser/solve-text.js";
import type { WorkerMessage } from "./search.js";
import { wasFileRefused } from "./shims/files.js";
import { provideHighs } from "./shims/highs.js";

/** The worker: one text to solve, then it is over. The page ends it. */
addEventListener("message", ({ data: { task, highs } }: MessageEvent<WorkerMessage>) => {
  provideHighs(highs);
  void solveText(task, (reply: BrowserReply) => postMessage(advised(reply)));
});

/** Where a file was asked for, what the message of the command line says of paths is of no use. */
function advised(reply: BrowserReply): BrowserReply {
  if (reply.type !== "failure" || !wasFileRefused()) return reply;
  const message = `${reply.message}. This page opens no other files: plan this instance with the command line`;
  return { ...reply, message };
}
