import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import type { ProgramFormat } from "../../../program/read-program.js";
import { type Asked, contradictions, holdClaim } from "../../../search/exact-milp/claims.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { differenceOf } from "../../../solvers/reading/read-file.js";
import { openSolver } from "../../../solvers/solver.js";
import { SolverError } from "../../../solvers/solver-error.js";
import { ContradictoryClaim } from "../../../solvers/validate.js";
import type { CheckedOutcome } from "../answer/outcome.js";
import type { ProgramSolution, ReadingBeside } from "../answer/schema.js";
import { withBeside } from "../answer/solution-file.js";
import { furtherContradictions } from "./solve-program.js";
import { wordOf } from "./word-of.js";

export interface BesideOptions {
  readonly timeLimitSeconds: number;
  readonly gap: number;
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** What a solver came to that was given the same program and the same time, and how long it took. */
export interface AnswerBeside {
  readonly answer: Asked;
  readonly seconds: number;
}

/** Has a solver read a file, and compares what it reads with our program. */
export async function readingBeside(
  name: string,
  program: Program,
  text: string,
  format: ProgramFormat,
): Promise<ReadingBeside> {
  try {
    const detail = await differenceOf(name, program, text, format);
    return { status: detail === null ? "same" : "different", detail };
  } catch (error) {
    if (!(error instanceof SolverError)) throw error;
    return { status: "unread", detail: error.message };
  }
}

/** Has a solver solve a program as it would for anybody else, to the same gap. Throws where it is not installed. */
export async function solveBeside(name: string, program: Program, options: BesideOptions): Promise<AnswerBeside> {
  const solver = await openSolver(name);
  const started = performance.now();
  const after = (answer: Asked) => ({ answer, seconds: (performance.now() - started) / 1000 });
  try {
    const { timeLimitSeconds, gap, seed, signal } = options;
    return after({
      solver: name,
      claim: await solver.solve(program, { timeLimitSeconds, relativeGap: gap, seed, signal }),
    });
  } catch (error) {
    if (!(error instanceof SolverError || error instanceof ContradictoryClaim)) throw error;
    return after({ solver: name, failure: error.message });
  } finally {
    await solver.close();
  }
}

/** Holds the point of a solver beside, as far as it is exactly feasible, against what was proved. Throws `ContradictionError`. */
export async function holdBeside(
  { status, exact, certificate }: ProgramSolution,
  program: Program,
  { answer }: AnswerBeside,
): Promise<void> {
  if (!("claim" in answer) || (exact.bound === null && status !== "infeasible")) return;
  const bound = exact.bound === null ? null : Rational.parse(exact.bound);
  await holdClaim(program, answer.claim, { bound, proof: { certificate } }, WatchedStop.after(COMPLETING_SECONDS).ask);
}

/** What making a solver's point exact may take. */
const COMPLETING_SECONDS = 1;

/** A solution with the answer of a solver beside it, and what of that answer contradicts what was proved. */
export function besideSolution(
  solution: ProgramSolution,
  program: Program,
  { answer, seconds }: AnswerBeside,
  reading?: ReadingBeside,
): ProgramSolution {
  const { status, exact } = solution;
  const [value, bound] = [exact.value, exact.bound].map((text) => (text === null ? null : Rational.parse(text)));
  const outcome: CheckedOutcome = { status, value: value ?? null, bound: bound ?? null, gap: null };
  const found = [
    ...contradictions(program, [answer], outcome.value, outcome.bound),
    ...furtherContradictions(outcome, [answer]),
  ];
  return withBeside(wordOf(answer), seconds, found, solution, reading);
}
