import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../../errors/usage-error.js";
import { hasResult, type Job, readJob, resultFile } from "../../study/job.js";
import { count, some } from "../../text/units.js";
import type { STUDY_RUN } from "../tables/study.js";
import type { OptionsOf } from "../tables/table.js";
import { withEvidence } from "../terminal/contradiction-file.js";
import { failureOf } from "../terminal/failure.js";
import { untilInterrupted } from "../terminal/interrupt.js";
import { defaultMemoryLimit } from "../terminal/memory-limit.js";
import { type StatusLine, withStatusLine } from "../terminal/status-line.js";
import { EXIT, writeOutput, writeResult } from "../terminal/streams.js";
import type { WorkerFailure } from "../worker/protocol.js";
import { type PlacedLine, runPool } from "../worker/study-pool.js";

/** `shardproof study run FOLDER`: works the lines that have no result. */
export async function runStudyRun(folder: string, options: OptionsOf<typeof STUDY_RUN>): Promise<number> {
  const { quiet = false } = options;
  const job = readJob(folder);
  const asked = linesOf(job, options.lines);
  const open = asked.filter(({ line }) => !hasResult(folder, line));
  const failures: Failed[] = [];
  let done = 0;
  const interrupted = await inPool(quiet, async (signal, status) => {
    const tell = () => status.show(() => [`${count(done)} of ${some(open.length, "plan")}`]);
    tell();
    // Lines that ask the same are one plan.
    const onceEach = [...new Map(open.map((placed) => [placed.line.id, placed])).values()];
    await runPool(onceEach, {
      kind: "run",
      ...threads(folder, options),
      signal,
      onDone: async ({ line }, text) => {
        const file = join(folder, resultFile(line));
        await mkdir(dirname(file), { recursive: true });
        await writeOutput(file, text);
        done += 1;
        tell();
      },
      onFailure: (placed, error) => {
        // A file that is not what it was: no line of it can be worked.
        if ((error as Error).name === "InputError") throw error;
        failures.push({ ...placed, error });
      },
    });
  });
  const before = asked.length - open.length;
  const left = asked.filter(({ line }) => !hasResult(folder, line)).length;
  const parts = [`${count(before)} done before`, `${count(done)} now`, ...(left === 0 ? [] : [`${count(left)} left`])];
  await writeResult(`${some(asked.length, "plan")}: ${parts.join(", ")}\n`);
  for (const { index, line, error } of failures) {
    const { message } = failureOf(await withEvidence(error));
    process.stderr.write(`line ${index + 1} (${line.instance.name}, ${line.method}): ${message}\n`);
  }
  if (failures.some(({ error }) => error.name === "ContradictionError")) return EXIT.internalError;
  if (interrupted) return EXIT.interrupted;
  return left === 0 ? EXIT.solved : EXIT.notProved;
}

/** Does work of several threads that Ctrl-C ends: whether it did. */
export function inPool(
  quiet: boolean,
  work: (signal: AbortSignal, status: StatusLine) => Promise<void>,
): Promise<boolean> {
  return withStatusLine(quiet, (status) =>
    untilInterrupted(async (signal) => {
      await work(signal, status);
      return signal.aborted;
    }),
  );
}

interface Failed extends PlacedLine {
  readonly error: WorkerFailure | Error;
}

/** What threads of a study are started with. */
export function threads(folder: string, { workers, memoryLimit }: OptionsOf<typeof STUDY_RUN>) {
  return {
    folder: resolve(folder),
    cwd: process.cwd(),
    workers: workers ?? availableParallelism(),
    memoryLimitBytes: memoryLimit ?? defaultMemoryLimit(),
  };
}

function linesOf({ all }: Job, range: OptionsOf<typeof STUDY_RUN>["lines"]): readonly PlacedLine[] {
  const [first, last] = range ?? [1, all.length];
  if (first > all.length)
    throw new UsageError(`the job has ${some(all.length, "line")}, there is none from ${first} on`);
  return all.map((line, index) => ({ index, line })).slice(first - 1, last);
}
