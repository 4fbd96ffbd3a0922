import type { Highs } from "highs";
import { highsFailure, newHighs } from "./highs-module.js";
import { SolverError } from "./solver-error.js";

/** One module for all programs that are solved in this thread, replaced once it has aborted. */
let shared: Promise<Highs> | undefined;
const broken = new WeakSet<Highs>();

export function sharedHighs(): Promise<Highs> {
  shared ??= newHighs();
  return shared;
}

/** A module that has aborted goes away as a whole, with all that is in it. */
export function isBroken(highs: Highs): boolean {
  return broken.has(highs);
}

/** Does something in the shared module. Throws `SolverError` where HiGHS dies, or has died. */
export function guarded<T>(highs: Highs, work: () => T): T {
  if (isBroken(highs)) throw new SolverError("crash", "HiGHS has crashed; open the program again");
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SolverError || error instanceof highs.errors.HighsError)) {
      broken.add(highs);
      shared = undefined;
    }
    throw highsFailure(error, highs.memoryBytes);
  }
}
