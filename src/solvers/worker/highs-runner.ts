import { highsFailure, newHighs, runHighs } from "../highs-module.js";
import type { WorkerRunner } from "./protocol.js";

/** HiGHS inside the worker. */
export async function highsRunner(): Promise<WorkerRunner> {
  const highs = await newHighs();
  return {
    run: (model, options, hooks) => runHighs(highs, model, options, hooks),
    memoryBytes: () => highs.memoryBytes,
    failure: (error) => {
      const { kind, message } = highsFailure(error, highs.memoryBytes);
      return { kind, message };
    },
  };
}
