/** Between two looks at the memory that is used. */
const MILLISECONDS = 100;

/**
 * The share of the limit at which work is asked to end: what is proved has still to be checked and written. One thread's
 * heap may grow beyond it without a look, so that is not late either.
 */
const NEAR = 0.7;

export interface MemoryEvents {
  /** Once, as memory nears its limit. */
  readonly onNear: () => void;
  /** Once, as it goes beyond. */
  readonly onOver: () => void;
}

/**
 * Watches the memory of the process: all threads' heaps, the solvers' and whatever else is resident. `read` says how many
 * bytes that is.
 */
export function watchMemory(
  limitBytes: number,
  { onNear, onOver }: MemoryEvents,
  read: () => number = () => process.memoryUsage.rss(),
): { end(): void } {
  let isNear = false;
  const timer = setInterval(() => {
    const used = read();
    if (!isNear && used > NEAR * limitBytes) {
      isNear = true;
      onNear();
    }
    if (used <= limitBytes) return;
    clearInterval(timer);
    onOver();
  }, MILLISECONDS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}
