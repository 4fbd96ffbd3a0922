import { WatchedStop } from "../search/time/watched-stop.js";
import type { Rerun } from "./verification/published-methods.js";

/** `quick`: those that end soon by their size, and within a minute. `all`: all, for as long as they take. */
export type RerunExtent = "quick" | "all";

/** What a method may take in the extent `quick`, where its size was judged wrong. */
const MAX_SECONDS = 60;

const SLOW = { kind: "left-out", reason: "it takes long here; --baselines runs it" } as const;

/**
 * Runs a published method again: deterministic given the plan's seed, and to its own end, so that the clock has no say in
 * the result. `work` gives `null` where the method is none for the instance.
 */
export function rerun<Result>(
  extent: RerunExtent,
  isQuick: boolean,
  work: (shouldStop: () => boolean) => Result | null,
): Rerun<Result> {
  if (extent === "quick" && !isQuick) return SLOW;
  const watched = WatchedStop.after(extent === "quick" ? MAX_SECONDS : Number.POSITIVE_INFINITY);
  const result = work(watched.ask);
  if (watched.wasStopped) return SLOW;
  return result === null ? { kind: "not-applicable" } : { kind: "result", result };
}
