import type { Solver } from "./claim.js";
import { DIALECTS, type NativeDialect, type NativeProblem } from "./native/dialects.js";
import { type ProgramRun, runBeside, runProgram } from "./native/run-program.js";
import { scaledMps } from "./native/scaled-mps.js";
import type { RawAnswer, RunOptions, ScaledModel } from "./scaled-model.js";
import { scaledSolver } from "./scaled-solver.js";
import { SolverError } from "./solver-error.js";

/** Seconds a program may overrun its time limit before it is killed. */
const GRACE_SECONDS = 2;

/**
 * A solver that is an executable on the PATH: `cbc` or `glpsol`. The scaled program is written as MPS into a temporary
 * folder, which is removed afterwards. On an abort the program is killed and what it had found is lost.
 *
 * Throws `SolverError`: `unsupported` for another name, `missing` when the executable is not there.
 */
export async function openNative(program: string): Promise<Solver> {
  const dialect = DIALECTS.get(program);
  if (dialect === undefined) {
    const known = [...DIALECTS.keys()].map((name) => `native:${name}`).join(", ");
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
  const killAfterSeconds =
    options.timeLimitSeconds === undefined ? undefined : options.timeLimitSeconds + GRACE_SECONDS;
  const input = { file: "model.mps", text };
  const limits = { killAfterSeconds, signal };
  return runBeside(program, dialect.command(problem, options), input, limits, async (run, left) => {
    if (run.ended !== undefined) return { status: "unknown", limitReached: run.ended };
    const answer = await dialect.parse(problem, run.printed, left);
    if (answer === undefined) throw crashed(program, run);
    if (answer.rowDuals === undefined) return answer;
    const rowDuals = new Float64Array(model.rowCount);
    for (const [k, row] of keptRows.entries()) rowDuals[row] = answer.rowDuals[k] as number;
    return { ...answer, rowDuals };
  });
}

function crashed(program: string, { exitCode, signal, printed }: ProgramRun): SolverError {
  const lines = printed.trimEnd().split("\n");
  const lastLine =
    lines.find((line) => /\b(errors?|bad|invalid)\b/i.test(line) && !/ 0 errors/.test(line)) ?? lines.at(-1) ?? "";
  const how = signal === null ? `exit status ${exitCode}` : signal;
  return new SolverError("crash", `"${program}" left no solution (${how}; it said: ${lastLine.slice(0, 200)})`);
}
