/**
 * Runs `work` with a signal that Ctrl-C (or a request to end) aborts, once: work that listens ends with what it has, and a
 * second one ends the program.
 */
export async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const onInterrupt = () => controller.abort();
  process.once("SIGINT", onInterrupt);
  process.once("SIGTERM", onInterrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onInterrupt);
  }
}

/** Does work that Ctrl-C ends: then `null`. */
export async function unlessInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  return untilInterrupted((signal) =>
    work(signal).catch((error: unknown) => {
      if (signal.aborted && error === signal.reason) return null;
      throw error;
    }),
  );
}

const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What is undone where a signal ends the program now. */
const undone = new Set<() => void>();

/**
 * Runs `work`; where it fails, or Ctrl-C (or a request to end) ends the program meanwhile, `undo` runs. Whoever listens
 * to such a signal besides decides itself: the work then goes on.
 */
export async function undoneByInterrupt<Result>(undo: () => void, work: () => Promise<Result>): Promise<Result> {
  // Before the others: one who listens once is gone from the count when its own turn has come.
  if (undone.size === 0) for (const signal of ENDING) process.prependListener(signal, undoAll);
  undone.add(undo);
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  } finally {
    undone.delete(undo);
    if (undone.size === 0) listenNoMore();
  }
}

function undoAll(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  for (const undo of undone) undo();
  listenNoMore();
  // Without a listener the signal ends the program, as it would have.
  process.kill(process.pid, signal);
}

function listenNoMore(): void {
  for (const signal of ENDING) process.off(signal, undoAll);
}
