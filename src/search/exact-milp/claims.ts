import { Rational } from "../../exact/rational.js";
import { evaluate } from "../../program/evaluate.js";
import { entriesOf, type Program } from "../../program/program.js";
import { holdAgainst } from "../../proof/hold-against.js";
import type { Claim } from "../../solvers/claim.js";
import { openSolver } from "../../solvers/solver.js";
import { SolverError } from "../../solvers/solver-error.js";
import { ContradictoryClaim } from "../../solvers/validate.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { type ShouldStop, UNITS, UNITS_PER_SECOND, type Work } from "../work.js";
import { solveRelaxation } from "./lp-relaxation.js";

/** What a solver said, or why it said nothing. */
export type Asked =
  | { readonly solver: string; readonly claim: Claim }
  | { readonly solver: string; readonly failure: string };

/** How often a solver under way is asked whether to stop, in milliseconds. */
const POLL_MILLISECONDS = 100;

/** The solver whose work is counted: others end by the clock. */
const COUNTED = "highs";

export interface AskOptions {
  /** Units of work after which HiGHS ends; with other solvers, as many seconds as those stand for. */
  readonly units: number;
  /** At most, whatever the work. */
  readonly timeLimitSeconds: number;
  readonly seed: number;
  /** A feasible point to begin from. */
  readonly start?: Float64Array;
}

/**
 * Asks a solver for its word on a program, for so much work and until `work` is over, which counts what the solver
 * does. A solver that dies, lies or is missing is a failure.
 */
export async function askSolver(
  name: string,
  program: Program,
  { units, timeLimitSeconds, seed, start }: AskOptions,
  work: Work,
): Promise<Asked> {
  const each = UNITS.branchAndCut + UNITS.branchAndCutEntry * entriesOf(program);
  const limits =
    name === COUNTED
      ? { timeLimitSeconds, iterationLimit: Math.ceil(units / each) }
      : { timeLimitSeconds: Math.min(timeLimitSeconds, units / UNITS_PER_SECOND) };
  const stop = new AbortController();
  const poll = setInterval(() => {
    if (work.ask()) stop.abort();
  }, POLL_MILLISECONDS);
  try {
    const solver = await openSolver(name);
    try {
      const claim = await solver.solve(program, { ...limits, seed, signal: stop.signal, ...(start && { start }) });
      work.spend(claim.iterations === undefined ? units : each * claim.iterations);
      return { solver: name, claim };
    } finally {
      await solver.close();
    }
  } catch (error) {
    if (error instanceof SolverError || error instanceof ContradictoryClaim)
      return { solver: name, failure: error.message };
    throw error;
  } finally {
    clearInterval(poll);
  }
}

/**
 * Offers a claimed point to the incumbent: its integers rounded, and its continuous columns then solved for in exact
 * arithmetic, because a solver's are off by its tolerances. Says whether the point is feasible and better.
 */
export async function offerClaim(
  program: Program,
  { point }: Claim,
  incumbent: Incumbent,
  shouldStop: ShouldStop,
): Promise<boolean> {
  if (point === undefined) return false;
  const space = SearchSpace.of(program);
  const { lower, upper } = { lower: space.box.lower.slice(), upper: space.box.upper.slice() };
  program.columns.forEach(({ integer }, j) => {
    if (!integer) return;
    lower[j] = Rational.fromNumber(Math.round(point[j] as number));
    upper[j] = lower[j] as Rational;
  });
  const isWhole = program.columns.every(({ integer }) => integer);
  const answer = isWhole ? null : await solveRelaxation(program, { lower, upper }, shouldStop);
  return incumbent.offer(answer?.kind === "optimal" ? answer.point : space.expand(point));
}

/**
 * Holds a claimed point, as far as it is exactly feasible once it is completed ({@link offerClaim}), against what was proved of
 * the same program, or of another with the same values. Throws `ContradictionError`.
 */
export async function holdClaim(
  program: Program,
  claim: Claim,
  { bound, proof }: { readonly bound: Rational | null; readonly proof: object },
  shouldStop: ShouldStop,
): Promise<void> {
  const incumbent = new Incumbent(program);
  await offerClaim(program, claim, incumbent, shouldStop);
  const { point } = incumbent;
  const { sense } = program.objective;
  const worth = (known: readonly Rational[]) => evaluate(program, known).objective;
  const known = point === null ? [] : [{ what: `a point of ${claim.solver}`, plan: point }];
  holdAgainst(known, [{ bound, sense, worth, proof }]);
}

/**
 * Where solvers contradict what is known for certain, or one another, in words. `value` is that of an exactly feasible
 * point, `bound` one that was proved, both in the program's own sense. Rounding alone is no contradiction.
 */
export function contradictions(
  program: Program,
  asked: readonly Asked[],
  value: Rational | null,
  bound: Rational | null,
): readonly string[] {
  const found: string[] = [];
  const better = (a: number, b: number) => {
    const difference = program.objective.sense === "minimize" ? b - a : a - b;
    return difference > 1e-9 * (1 + Math.abs(a) + Math.abs(b));
  };
  const claims = asked.filter((answer): answer is Extract<Asked, { claim: Claim }> => "claim" in answer);
  for (const { solver, claim } of claims) {
    if (claim.status === "infeasible" && value !== null) {
      found.push(
        `${solver} claims that there is no feasible point; one of value ${value.toNumber()} was checked exactly`,
      );
    }
    if (claim.dualBound !== undefined && value !== null && better(value.toNumber(), claim.dualBound)) {
      found.push(
        `${solver} claims the bound ${claim.dualBound}; a point of value ${value.toNumber()} was checked exactly`,
      );
    }
    if (claim.status !== "optimal" || claim.primalBound === undefined) continue;
    if (value !== null && better(value.toNumber(), claim.primalBound)) {
      found.push(
        `${solver} claims the optimum ${claim.primalBound}; a point of value ${value.toNumber()} was checked exactly`,
      );
    }
    if (bound !== null && better(claim.primalBound, bound.toNumber())) {
      found.push(
        `${solver} claims the optimum ${claim.primalBound}; no point is better than ${bound.toNumber()}, as was proved`,
      );
    }
  }
  claims.forEach((first, k) => {
    for (const second of claims.slice(k + 1)) {
      const both = [first, second].map(({ claim }) => (claim.status === "optimal" ? claim.primalBound : undefined));
      const [a, b] = both;
      if (a !== undefined && b !== undefined && (better(a, b) || better(b, a))) {
        found.push(`${first.solver} claims the optimum ${a}, ${second.solver} claims ${b}`);
      }
    }
  });
  return found;
}
