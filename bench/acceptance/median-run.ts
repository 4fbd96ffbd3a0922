import type { Measured } from "./compare.js";

/** Of several runs of a row the one with the median gap; its seconds are the medians of all, and all have to be checked. */
export function medianRun(runs: readonly Measured[]): Measured {
  const byGap = runs.toSorted((a, b) => (a.gap ?? Number.MAX_VALUE) - (b.gap ?? Number.MAX_VALUE));
  const middle = byGap[(byGap.length - 1) >> 1];
  if (middle === undefined) throw new RangeError("no run of a row");
  const median = (of: (run: Measured) => number) =>
    runs.map(of).sort((a, b) => a - b)[(runs.length - 1) >> 1] as number;
  const hasFirst = runs.every(({ firstSeconds }) => firstSeconds !== null);
  return {
    ...middle,
    firstSeconds: hasFirst ? median(({ firstSeconds }) => firstSeconds as number) : middle.firstSeconds,
    seconds: median(({ seconds }) => seconds),
    proveSeconds: median(({ proveSeconds }) => proveSeconds),
    cpuSeconds: median(({ cpuSeconds }) => cpuSeconds),
    checked: runs.every(({ checked }) => checked),
  };
}
