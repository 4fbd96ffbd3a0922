import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Solver } from "./claim.js";
import { cbc } from "./native/cbc.js";
import type { NativeDialect, NativeProblem } from "./native/dialect.js";
import { glpsol } from "./native/glpsol.js";
import { runProgram } from "./native/run-program.js";
import { scaledMps } from "./native/scaled-mps.js";
import type { RawAnswer, RunOptions, ScaledModel } from "./scaled-model.js";
import { scaledSolver } from "./scaled-solver.js";
import { SolverError } from "./solver-error.js";

const dialects = new Map<string, NativeDialect>([
  ["cbc", cbc],
  ["glpsol", glpsol],
]);

/** Seconds a program may overrun its time limit before it is killed. */
const GRACE_SECONDS = 2;

/**
 * A solver that is an executable on the PATH: `cbc` or `glpsol`. The scaled program is written as MPS into a temporary
 * folder, which is removed afterwards. On an abort the program is killed and what it had found is lost.
 *
 * Throws `SolverError`: `unsupported` for another name, `missing` when the executable is not there.
 */
export async function openNative(program: string): Promise<Solver> {
  const dialect = dialects.get(program);
  if (dialect === undefined) {
    const known = [...dialects.keys()].map((name) => `native:${name}`).join(", ");
    throw new SolverError("unsupported", `native:${program} is not supported; choose ${known}, highs or glpk`);
  }
  await runProgram(program, dialect.probe, undefined, 10);
  const closing = new AbortController();
  return scaledSolver(`native:${program}`, {
    solve: ({ model }, options, signal) => {
      const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      return solveIn(program, dialect, model, options, both);
    },
    close: async () => closing.abort(),
  });
}

async function solveIn(
  program: string,
  dialect: NativeDialect,
  model: ScaledModel,
  options: RunOptions,
  signal: AbortSignal,
): Promise<RawAnswer> {
  if (signal.aborted) return { status: "unknown", limitReached: "interrupt" };
  const { text, keptRows } = scaledMps(model);
  const mixed = model.integrality !== undefined;
  const problem: NativeProblem = { columnCount: model.columnCount, rowCount: keptRows.length, mixed };
  const folder = await mkdtemp(join(tmpdir(), "shardproof-"));
  try {
    await writeFile(join(folder, "model.mps"), text);
    const killAfter = options.timeLimitSeconds === undefined ? undefined : options.timeLimitSeconds + GRACE_SECONDS;
    const run = await runProgram(program, dialect.command(problem, options), folder, killAfter, signal);
    if (run.ended !== undefined) return { status: "unknown", limitReached: run.ended };
    const read = (file: string) => readFile(join(folder, file)).catch(() => undefined);
    const answer = await dialect.parse(problem, run.printed, read);
    if (answer === undefined) throw crashed(program, run.exitCode, run.signal, run.printed);
    if (answer.rowDuals === undefined) return answer;
    const rowDuals = new Float64Array(model.rowCount);
    keptRows.forEach((row, k) => {
      rowDuals[row] = answer.rowDuals?.[k] as number;
    });
    return { ...answer, rowDuals };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function crashed(program: string, exitCode: number | null, signal: string | null, printed: string): SolverError {
  const lines = printed.trimEnd().split("\n");
  const lastLine =
    lines.find((line) => /\b(errors?|bad|invalid)\b/i.test(line) && !/ 0 errors/.test(line)) ?? lines.at(-1) ?? "";
  const how = signal === null ? `exit status ${exitCode}` : signal;
  return new SolverError("crash", `"${program}" left no solution (${how}; it said: ${lastLine.slice(0, 200)})`);
}
