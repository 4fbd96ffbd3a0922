import { performance } from "node:perf_hooks";
import { Rational } from "../exact/rational.js";
import { writeMps } from "../program/mps/write.js";
import { linearForm, makeProgram, type Program } from "../program/program.js";
import { shortestDecimal } from "../program/written.js";
import type { Claim, SolveOptions, Solver } from "./claim.js";
import { DIALECTS, type NativeDialect, type NativeProblem } from "./native/dialects.js";
import { type ProgramRun, runBeside, runProgram } from "./native/run-program.js";
import { dualTolerances, restoreClaim } from "./restore.js";
import { answerWithoutColumns, type RawAnswer, type RunOptions, type ScaledModel } from "./scaled-model.js";
import { type Scaling, scaleProgram } from "./scaling.js";
import { SolverError } from "./solver-error.js";
import { validateClaim } from "./validate.js";

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

/**
 * A scaled model as free MPS for executables: columns c0…, rows r0…, minimised. Each double is written as the shortest
 * decimal that reads back as itself: CBC refuses numbers longer than some 20 characters.
 *
 * Rows without bounds are left out (MPS readers take them for further objectives); `keptRows` are the ones that remain.
 */
export function scaledMps(model: ScaledModel): { text: string; keptRows: readonly number[] } {
  const exact = (value: number | undefined) => Rational.fromNumber(value as number);
  const side = (value: number | undefined) => (Number.isFinite(value) ? exact(value) : null);
  const columns = Array.from(model.cost, (_, j) => {
    const [lower, upper] = [side(model.columnLower[j]), side(model.columnUpper[j])];
    return { name: `c${j}`, lower, upper, integer: model.integrality?.[j] === 1 };
  });
  const rows = Array.from(model.rowLower, (_, i) => {
    const from = model.starts[i] as number;
    const own = Array.from(model.indices.subarray(from, model.starts[i + 1]));
    const form = linearForm(own.map((column, k) => [column, exact(model.values[from + k])] as const));
    return { name: `r${i}`, form, lower: side(model.rowLower[i]), upper: side(model.rowUpper[i]) };
  });
  const keptRows = [...rows.keys()].filter((i) => rows[i]?.lower !== null || rows[i]?.upper !== null);
  const costs = Array.from(model.cost, (cost, j) => [j, exact(cost)] as const);
  const program = makeProgram({
    name: "MODEL",
    columns,
    rows: keptRows.map((i) => rows[i] as (typeof rows)[number]),
    objective: { name: "obj", form: linearForm(costs) },
  });
  return { text: writeMps(program, { comments: [], directives: [], text: shortestDecimal }), keptRows };
}

/** What solves a scaled model: a worker thread or a native program. */
interface ScaledBackend {
  solve(scaling: Scaling, options: RunOptions, signal?: AbortSignal): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** A solver from a backend of scaled models: scales the program, restores the answer's units, validates the claim. */
export function scaledSolver(name: string, backend: ScaledBackend): Solver {
  let closed = false;
  return {
    name,
    async solve(program: Program, options: SolveOptions = {}): Promise<Claim> {
      if (closed) throw new SolverError("unsupported", `this ${name} is closed; open another one`);
      const started = performance.now();
      const scaling = scaleProgram(program, options.relaxation);
      const answer = await answerFor(backend, scaling, options);
      const seconds = (performance.now() - started) / 1000;
      return validateClaim(program, restoreClaim(scaling, answer, name, seconds), options, dualTolerances(scaling));
    },
    close() {
      closed = true;
      return backend.close();
    },
  };
}

async function answerFor(backend: ScaledBackend, scaling: Scaling, options: SolveOptions): Promise<RawAnswer> {
  if (options.signal?.aborted) return { status: "unknown", limitReached: "interrupt" };
  if (scaling.infeasible !== undefined) return { status: "infeasible" };
  if (scaling.model.columnCount === 0) return answerWithoutColumns(scaling.model);
  const limit = options.timeLimitSeconds ?? Number.POSITIVE_INFINITY;
  const factor = scaling.objectiveFactor;
  const start = options.start?.map((value, j) => value / (scaling.columnFactors[j] as number));
  return backend.solve(
    scaling,
    {
      relativeGap: options.relativeGap ?? 0,
      absoluteGap: (options.absoluteGap ?? 0) * Math.abs(factor),
      offset: scaling.constant * factor,
      seed: options.seed ?? 0,
      ...(limit < Number.POSITIVE_INFINITY && { timeLimitSeconds: Math.max(0, limit) }),
      ...(options.iterationLimit !== undefined && { iterationLimit: options.iterationLimit }),
      ...(start && { start }),
      ...(options.method && { method: options.method }),
    },
    options.signal,
  );
}
