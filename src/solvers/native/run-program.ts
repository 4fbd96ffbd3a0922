import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SolverError } from "../solver-error.js";

export interface ProgramRun {
  /** Standard output. */
  readonly printed: string;
  /** Set when it was ended from outside. */
  readonly ended?: "time" | "interrupt";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A file that an executable left; undefined where there is none. */
export type Left = (file: string) => Promise<Buffer | undefined>;

/**
 * Runs an executable beside a file in a folder of its own, which is removed once `read` has seen what it left. Throws as
 * {@link runProgram} does.
 */
export async function runBeside<T>(
  program: string,
  args: readonly string[],
  input: { readonly file: string; readonly text: string },
  { killAfterSeconds, signal }: { readonly killAfterSeconds?: number | undefined; readonly signal?: AbortSignal },
  read: (run: ProgramRun, left: Left) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "shardproof-"));
  try {
    await writeFile(join(folder, input.file), input.text);
    const run = await runProgram(program, args, folder, killAfterSeconds, signal);
    return await read(run, (file) => readFile(join(folder, file)).catch(() => undefined));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The most of a program's output that is kept: its end. */
const KEPT = 2 ** 20;

/**
 * Runs an executable from the PATH and waits for its end. It is killed at `killAfterSeconds` and when the signal aborts.
 * Throws {@link SolverError} (`missing`) when there is no such executable.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  folder: string | undefined,
  killAfterSeconds?: number,
  signal?: AbortSignal,
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let ended: "time" | "interrupt" | undefined;
    const child = spawn(program, args, {
      ...(folder !== undefined && { cwd: folder }),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const end = (why: "time" | "interrupt") => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    const onAbort = () => end("interrupt");
    const milliseconds = (killAfterSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    const timer = milliseconds < 2 ** 31 ? setTimeout(() => end("time"), milliseconds) : undefined;
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-KEPT);
    });
    child.on("error", (error: Error & { code?: string }) => {
      done();
      const missing = error.code === "ENOENT" || error.code === "EACCES";
      const advice = "install it (Debian: apt-get install coinor-cbc or glpk-utils) or choose --solver highs";
      reject(
        missing
          ? new SolverError("missing", `there is no executable "${program}" on the PATH; ${advice}`, error)
          : new SolverError("crash", `"${program}" could not be run: ${error.message}`, error),
      );
    });
    child.on("close", (exitCode, exitSignal) => {
      done();
      resolve({ printed, exitCode, signal: exitSignal, ...(ended && { ended }) });
    });
  });
}
