import type { Verification } from "../../problems/verification/verification.js";
import type { VerifyProgress } from "../../problems/verification/verify-steps.js";
import type { VerifyRequest } from "../commands/verify-text.js";
import { withStatusLine } from "../terminal/status-line.js";
import { note } from "../terminal/streams.js";
import type { WorkerFailure } from "./protocol.js";
import { runThread } from "./run-thread.js";

export type VerifyMessage =
  | { readonly type: "progress"; readonly progress: VerifyProgress }
  | { readonly type: "verification"; readonly verification: Verification }
  | { readonly type: "failure"; readonly error: WorkerFailure };

/**
 * Verifies in a thread of its own, which the status line and Ctrl-C do not wait for: half a verification says nothing, so
 * that the first one ends the process. Throws what the thread threw.
 */
export async function verifyInWorker(request: VerifyRequest, quiet: boolean): Promise<Verification> {
  return withStatusLine(quiet, async (line) => {
    const onInterrupt = () => {
      line.clear();
      note("stopped: nothing was verified", quiet);
      // As if nobody had listened: a thread that waits for a file would hold up an exit.
      process.off("SIGINT", onInterrupt);
      process.kill(process.pid, "SIGINT");
    };
    process.on("SIGINT", onInterrupt);
    const entry = new URL("./verify-main.js", import.meta.url);
    const { verification } = await runThread<VerifyMessage>(entry, request, ({ progress: { step, of, what } }) =>
      line.show(() => [`step ${step} of ${of}`, what]),
    ).finally(() => process.off("SIGINT", onInterrupt));
    return verification;
  });
}
