import type { Highs } from "highs";
import { highsFailure, newHighs } from "./highs-module.js";
import { SolverError } from "./solver-error.js";

/** One module for all small programs of the process, replaced once it has aborted. */
let shared: Promise<Highs> | undefined;

export function sharedHighs(): Promise<Highs> {
  shared ??= newHighs();
  return shared;
}

/** Does something in the shared module. Throws `SolverError` where HiGHS dies. */
export function guarded<T>(highs: Highs, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SolverError) throw error;
    if (!(error instanceof highs.errors.HighsError)) shared = undefined;
    throw highsFailure(error, 0);
  }
}
