import { InputError } from "../../../errors/input-error.js";
import { timingOf } from "../../../plan-file/timing.js";
import { type LoadOptions, loadModel } from "../../../program/load-program.js";
import type { Program } from "../../../program/program.js";
import type { Note } from "../../../program/reading/notes.js";
import { openSolver } from "../../../solvers/solver.js";
import { referenceTo } from "../answer/outcome.js";
import type { ProgramSolution } from "../answer/schema.js";
import { assembleSolution } from "../answer/solution-file.js";
import { type SolvedProgram, type SolveProgramOptions, solveProgram } from "./solve-program.js";
import { wordOf } from "./word-of.js";

export interface SolveFileOptions extends SolveProgramOptions, LoadOptions {
  /** Refuse a file of which the reader has anything to note. */
  readonly strictReading?: boolean;
}

/** A program file that was solved: the program, what is known of it, and the same as the plain data of the JSON. */
export interface SolvedFile {
  readonly program: Program;
  readonly solved: SolvedProgram;
  readonly solution: ProgramSolution;
}

/**
 * Reads a program file (MPS or LP), solves it and proves the answer.
 *
 * ```ts
 * const { solution } = await solveProgramFile("instances/programs/knapsack-30.mps");
 * console.log(solution.status, solution.objective.value);
 * ```
 *
 * Throws `InputError` with file:line:column when the file cannot be read, or has a note and the reading is to be strict; `SolverError` when a solver was asked for that
 * is not there.
 */
export async function solveProgramFile(file: string, options: SolveFileOptions = {}): Promise<SolvedFile> {
  const { gap = 0, timeLimitSeconds = 60, seed = 0, solver = "highs" } = options;
  const started = performance.now();
  const { program, notes } = await loadModel(file, options);
  if (options.strictReading === true) refuseNotes(notes, file);
  const readSeconds = (performance.now() - started) / 1000;
  // Before the search, because one that is not installed is bad usage.
  if (options.solver !== undefined) await (await openSolver(options.solver)).close();
  const spentSeconds = (options.spentSeconds ?? 0) + (performance.now() - started) / 1000;
  const solved = await solveProgram(program, { ...options, spentSeconds });
  const { outcome, point, ray, certificate } = solved;
  const solution = assembleSolution({
    model: referenceTo(program, file, options.dialect),
    program,
    request: { gap, timeLimitSeconds, seed, solver },
    outcome,
    point,
    ray,
    withApprox: true,
    notes,
    reason: solved.reason,
    claims: solved.asked.map(wordOf),
    contradictions: solved.contradictions,
    nodes: solved.nodes,
    certificate,
    timing: timingOf({ readSeconds, solveSeconds: solved.solveSeconds, proveSeconds: solved.proveSeconds }),
  });
  return { program, solved, solution };
}

/** Throws `InputError` at the first note. */
function refuseNotes(notes: readonly Note[], file: string): void {
  const [first, ...others] = notes;
  if (first === undefined) return;
  const more = others.map(({ code, line }) => `${code} in line ${line}`).join(", ");
  const also = more === "" ? "" : `; also ${more}`;
  const expected = `expected a file that all readers take alike (--strict-reading), found ${first.code}`;
  const place = { line: first.line, column: 1 };
  throw new InputError(`${expected}: ${first.text}${also}; rewrite it, or leave --strict-reading out`, file, place);
}
