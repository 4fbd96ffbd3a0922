import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Job } from "./job.js";

/**
 * Where the thread's program lies: beside this module once built; in dist/ when this module runs as TypeScript, which a thread of
 * Node 20 cannot read; undefined where it is not built.
 */
export function threadUrl(moduleUrl: string = import.meta.url): URL | undefined {
  if (!moduleUrl.endsWith(".ts")) return new URL("./thread.js", moduleUrl);
  const built = new URL("../../../../../dist/src/problems/table-placement/solve/guided/thread.js", moduleUrl);
  return existsSync(built) ? built : undefined;
}

/** A thread of its own for placements; it does not keep the process alive. */
export class SearchThread {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
    // Failures are of the job that waits.
    worker.on("error", () => {});
    worker.unref();
  }

  /** `null` where there are no threads. */
  static open(problem: PlacementProblem, moduleUrl?: string): SearchThread | null {
    try {
      // In a page no address is one of a file.
      const url = threadUrl(moduleUrl);
      return url === undefined ? null : new SearchThread(new Worker(url, { workerData: problem, execArgv: [] }));
    } catch {
      return null;
    }
  }

  /** What a job finds; throws where the thread ends. One job at a time. */
  run(job: Job): Promise<Placement | null> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const end = () => reject(new Error("the searching thread ended by itself"));
      worker.once("exit", end);
      worker.once("message", (answer: Placement | null) => {
        worker.off("exit", end);
        resolve(answer);
      });
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
