import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { InputError } from "../../../errors/input-error.js";
import { CountTally, type TallyParts } from "../tally.js";
import { NoCount } from "./elements.js";
import type { Part } from "./part.js";

/** What a thread answers. */
export type ThreadAnswer =
  | { readonly kind: "tally"; readonly parts: TallyParts }
  | { readonly kind: "no-count"; readonly index: number; readonly value: number }
  | { readonly kind: "failure"; readonly message: string; readonly isInput: boolean };

/**
 * Where the thread's program lies: beside this module once built; in dist/ when this module runs as TypeScript, which
 * a thread of Node 20 cannot read; undefined where it is not built, and then one thread does all.
 */
export function threadUrl(moduleUrl: string = import.meta.url): URL | undefined {
  if (!moduleUrl.endsWith(".ts")) return new URL("./thread.js", moduleUrl);
  const built = new URL("../../../../dist/src/access/counts/npy/thread.js", moduleUrl);
  return existsSync(built) ? built : undefined;
}

/** Tallies equal parts of a file in threads of their own and adds them up. Throws what one thread would. */
export async function tallyInThreads(whole: Part, threads: number, url: URL): Promise<CountTally> {
  const at = (k: number) => Math.floor((whole.last * k) / threads);
  const answers = await Promise.all(
    Array.from({ length: threads }, (_, k) => ask({ ...whole, first: at(k), last: at(k + 1) }, url)),
  );
  const tally = new CountTally();
  // In the order of the file: the first failure is the one that a single thread meets.
  for (const answer of answers) {
    if (answer.kind === "no-count") throw new NoCount(answer.index, answer.value);
    if (answer.kind === "failure") throw answer.isInput ? new InputError(answer.message) : new Error(answer.message);
    tally.addParts(answer.parts);
  }
  return tally;
}

function ask(part: Part, url: URL): Promise<ThreadAnswer> {
  const worker = new Worker(url, { workerData: part, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`a reading thread ended by itself (code ${code})`)));
  });
}
