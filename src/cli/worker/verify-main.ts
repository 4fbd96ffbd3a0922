import { type VerifyRequest, verifyText } from "../commands/verify-text.js";
import type { Send } from "./run-thread.js";
import type { VerifyMessage } from "./verify-client.js";

/** Verifies: it does not return to the event loop, which the main thread keeps for signals. */
export async function work(request: VerifyRequest, send: Send<VerifyMessage>): Promise<void> {
  const verification = await verifyText(request, (progress) => send({ type: "progress", progress }));
  send({ type: "verification", verification });
}
