import { type ReproduceMessage, type ReproduceTask, reproducePapers } from "../commands/reproduced.js";
import type { Send } from "./run-thread.js";
import { StopFlag } from "./stop.js";

/** Reproduces: it does not return to the event loop, which the main thread keeps for signals. */
export async function work(
  { stop, ...task }: ReproduceTask & { readonly stop: SharedArrayBuffer },
  send: Send<ReproduceMessage>,
): Promise<void> {
  const flag = new StopFlag(stop);
  const reproduced = await reproducePapers(task, {
    shouldStop: () => flag.reason !== null,
    tell: (what) => send({ type: "progress", what }),
  });
  send({ type: "reproduced", reproduced });
}
