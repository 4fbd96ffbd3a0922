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

const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `work`; where it fails, or Ctrl-C (or a request to end) ends the program meanwhile, `undo` runs. Whoever listens
 * to such a signal besides decides itself: the work then goes on.
 */
export async function undoneByInterrupt<Result>(undo: () => void, work: () => Promise<Result>): Promise<Result> {
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    undo();
    stop();
    // Without a listener the signal ends the program, as it would have.
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of ENDING) process.off(signal, onSignal);
  };
  for (const signal of ENDING) process.on(signal, onSignal);
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  } finally {
    stop();
  }
}
