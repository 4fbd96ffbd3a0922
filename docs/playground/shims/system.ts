/** What the program uses of node:os, node:perf_hooks, node:util and node:worker_threads. */

const { performance } = globalThis;

export { performance };

export const inspect = String;

/** Texts in a page have no colours of a terminal. */
export function stripVTControlCharacters(text: string): string {
  return text;
}

export function endianness(): "LE" {
  return "LE";
}

export function availableParallelism(): number {
  return 1;
}

export function tmpdir(): string {
  return "/";
}

export function release(): string {
  return "";
}

/** Threads read large files of counts; a page has none. */
export class Worker {
  constructor() {
    throw new Error("a page starts no threads of its own");
  }
}
