import type { PlanTiming } from "./envelope.js";

/** Wall-clock seconds of a plan, rounded to milliseconds; the total is the sum of the rounded ones. */
export function timingOf(seconds: Omit<PlanTiming, "totalSeconds">): PlanTiming {
  const milliseconds = [seconds.readSeconds, seconds.solveSeconds, seconds.proveSeconds].map((value) =>
    Math.max(0, Math.round(value * 1000)),
  );
  const [read, solve, prove] = milliseconds as [number, number, number];
  return {
    readSeconds: read / 1000,
    solveSeconds: solve / 1000,
    proveSeconds: prove / 1000,
    totalSeconds: (read + solve + prove) / 1000,
  };
}
