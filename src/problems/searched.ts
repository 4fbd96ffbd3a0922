import { askedGap } from "../plan-file/asked-gap.js";
import { EXTRAS, type PlanRequest } from "../plan-file/envelope.js";
import type { Verdict } from "../proof/verdict.js";
import { UNITS_PER_SECOND } from "../search/work.js";
import type { PlanOptions } from "./plan-options.js";

/** What an exact method comes to: the plan's file, and what was proved of it as it was, in rationals. */
export interface Searched<Plan> {
  readonly plan: Plan;
  /** `null` where no bound was proved. */
  readonly verdict: Verdict | null;
}

/** What is asked of a method. Throws `InputError` for a gap with which the plan's file could not be read again. */
export function requestOf(options: PlanOptions): PlanRequest {
  const { gap = 1e-9, timeLimitSeconds = 60, workLimitSeconds, seed = 0 } = options;
  askedGap(gap);
  const without = EXTRAS.filter((extra) => options.without?.has(extra));
  return {
    ...{ gap, timeLimitSeconds, ...(workLimitSeconds === undefined ? {} : { workLimitSeconds }), seed },
    ...(without.length === 0 ? {} : { without }),
  };
}

/** What a search may do: its shares are of `workSeconds`; `mostUnits` ends it, where a limit of work was asked for. */
export function workOf({ timeLimitSeconds, workLimitSeconds }: PlanRequest): {
  readonly workSeconds: number;
  readonly mostUnits?: number;
} {
  if (workLimitSeconds === undefined) return { workSeconds: timeLimitSeconds };
  return { workSeconds: workLimitSeconds, mostUnits: UNITS_PER_SECOND * workLimitSeconds };
}
