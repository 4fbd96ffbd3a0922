/** AutoShard's micro-benchmark (appendix B.1): warm-ups, runs, and how many of the fastest and slowest are left out. */
const WARM_UPS = 5;
const RUNS = 10;
const TRIMMED = 2;

/** Four times the last-level cache of common servers. */
const FLUSH_BYTES = 2 ** 27;

/** Milliseconds of some work, the caches flushed before each run. */
export function trimmedMilliseconds(work: () => void, flushBytes = FLUSH_BYTES): number {
  const flushed = new Uint8Array(flushBytes);
  for (let run = 0; run < WARM_UPS; run++) work();
  const times = Array.from({ length: RUNS }, (_, run) => {
    flushed.fill(run);
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return trimmedMean(times);
}

/** The mean without the two smallest and the two largest. */
export function trimmedMean(values: readonly number[]): number {
  const kept = values.toSorted((a, b) => a - b).slice(TRIMMED, -TRIMMED);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}
