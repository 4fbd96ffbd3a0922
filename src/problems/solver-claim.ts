import type { PlanClaim, PlanRequest } from "../plan-file/envelope.js";
import type { Program } from "../program/program.js";
import type { Verdict } from "../proof/verdict.js";
import { holdClaim } from "../search/exact-milp/claims.js";
import { WatchedStop } from "../search/time/watched-stop.js";
import type { Solver } from "../solvers/claim.js";
import { SolverError } from "../solvers/solver-error.js";
import { ContradictoryClaim } from "../solvers/validate.js";

/** What making a solver's point exact may take. */
const COMPLETING_SECONDS = 1;

/** How often a solver under way is asked whether to stop, in milliseconds. */
const POLL_MILLISECONDS = 100;

/**
 * Has a general solver solve a program, and closes it. A solver that dies or contradicts itself claims nothing: its
 * status says so, and what was proved (of it, or of another program with the same values) stands. Throws `ContradictionError`
 * where its point is feasible in exact arithmetic and better than that.
 */
export async function askSolver(
  solver: Solver,
  program: Program,
  { gap, timeLimitSeconds, seed }: PlanRequest,
  shouldStop: () => boolean,
  proved: Verdict["checked"] | null,
): Promise<Omit<PlanClaim, "agrees" | "remark">> {
  const stop = new AbortController();
  const poll = setInterval(() => {
    if (shouldStop()) stop.abort();
  }, POLL_MILLISECONDS);
  try {
    const options = { timeLimitSeconds, relativeGap: gap, seed, signal: stop.signal };
    const claim = await solver.solve(program, options);
    const { status, primalBound, dualBound } = claim;
    if (proved !== null) {
      const { bound, certificate } = proved;
      const { ask } = WatchedStop.after(COMPLETING_SECONDS, shouldStop);
      await holdClaim(program, claim, { bound, proof: { certificate } }, ask);
    }
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
