import type { Program } from "../program/program.js";
import type { Solver } from "../solvers/claim.js";
import { SolverError } from "../solvers/solver-error.js";
import { ContradictoryClaim } from "../solvers/validate.js";
import type { PlanClaim, PlanRequest } from "./plan-file/envelope.js";

/** How often a solver under way is asked whether to stop, in milliseconds. */
const POLL_MILLISECONDS = 100;

/**
 * Has a general solver solve a program, and closes it. A solver that dies or contradicts itself claims nothing: its
 * status says so, and what was proved stands.
 */
export async function askSolver(
  solver: Solver,
  program: Program,
  { gap, timeLimitSeconds, seed }: PlanRequest,
  shouldStop: () => boolean,
): Promise<Omit<PlanClaim, "agrees" | "remark">> {
  const stop = new AbortController();
  const poll = setInterval(() => {
    if (shouldStop()) stop.abort();
  }, POLL_MILLISECONDS);
  try {
    const options = { timeLimitSeconds, relativeGap: gap, seed, signal: stop.signal };
    const { status, primalBound, dualBound } = await solver.solve(program, options);
    return { solver: solver.name, status, value: finiteOrNull(primalBound), bound: finiteOrNull(dualBound) };
  } catch (error) {
    const status =
      error instanceof ContradictoryClaim ? "contradictory" : error instanceof SolverError ? error.kind : undefined;
    if (status === undefined) throw error;
    return { solver: solver.name, status, value: null, bound: null };
  } finally {
    clearInterval(poll);
    await solver.close();
  }
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
