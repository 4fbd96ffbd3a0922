import { neuralProgram } from "../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../models/table-placement/learned/evaluate.js";
import { type NeuralHead, neuralHead } from "../../../../../models/table-placement/learned/head.js";
import type { SetCost } from "../../../../cost/neural/set-cost.js";
import { InputError } from "../../../../errors/input-error.js";
import { askedGap } from "../../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../../plan-file/envelope.js";
import { timingOf } from "../../../../plan-file/timing.js";
import type { Program } from "../../../../program/program.js";
import { secondsLeft } from "../../../../search/time/time-limit.js";
import { TimeShares } from "../../../../search/time/time-shares.js";
import { WatchedStop } from "../../../../search/time/watched-stop.js";
import type { Solver } from "../../../../solvers/claim.js";
import { openSolver } from "../../../../solvers/solver.js";
import type { PlanOptions } from "../../../plan-options.js";
import { type Searched, workOf } from "../../../searched.js";
import { askSolver } from "../../../solver-claim.js";
import { assemblePlacementPlan } from "../../plan-file/assemble.js";
import type { EvaluatePlacement } from "../../plan-file/baseline.js";
import type { TablePlacementPlan } from "../../plan-file/plan-file.js";
import type { PlacementOutcome, ProofOn } from "../../plan-file/proof-on.js";
import { baselinePlacements, placementBaselines } from "../heuristic-runs.js";
import type { PreparedPlacement } from "../prepared.js";
import { relaxedPlacement } from "../relaxed-placement.js";
import { type NeuralSolution, solveNeuralPlacement } from "./solve.js";

/**
 * Places tables for the least largest device cost under a learned cost, proves it, and returns the plan file's contents. Where
 * there was no time for a bound, the plan is the best heuristic's, with that status.
 *
 * Throws `InputError` where the instance also asks for a second goal, which has no program under such costs.
 */
export async function planNeuralPlacement(
  { instance, model, readSeconds }: PreparedPlacement,
  request: PlanRequest,
  options: PlanOptions,
): Promise<Searched<TablePlacementPlan>> {
  const { solver, shouldStop, onProgress, without = new Set() } = options;
  const { problem } = model;
  if (problem.thenMinimize !== undefined || problem.goal === "phases" || problem.stages !== undefined) {
    const message =
      "the exact method (--method optimal) minimises the largest device cost alone where costs are learned (costModel: {neural: FILE}); leave out thenMinimize, objective and goals, or choose another method";
    throw new InputError(message, instance.file);
  }
  // Before the search, because one that is not installed is bad usage.
  const asked = solver === undefined ? null : await openSolver(solver);
  const started = performance.now();
  const methods = without.has("baselines") ? [] : placementBaselines(problem);
  const shares = TimeShares.ofSearch(secondsLeft(options, readSeconds), asked !== null, true);
  const head = neuralHead(instance, problem.setCost as SetCost);
  const solution = await solveNeuralPlacement(model, head, {
    gap: askedGap(request.gap),
    timeLimitSeconds: shares.next(),
    ...workOf(request),
    seed: request.seed,
    ...(shouldStop === undefined ? {} : { shouldStop }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { direct, verdict, placement } = solution;
  const isInfeasible = verdict?.status === "infeasible";
  // A solver that was asked for gets the program even where the search had no time to build it.
  const programOf = () => (direct ?? neuralProgram(problem, head)).program;
  const claim = asked && (await claimOf(asked, programOf(), { request, shares, shouldStop, solution }));
  const relaxed = isInfeasible ? relaxedPlacement(problem, request.seed, shouldStop) : null;
  const { seed } = request;
  const { ask } = WatchedStop.after(shares.next(), shouldStop);
  const baselines = isInfeasible ? [] : baselinePlacements(methods, model, { seed, shouldStop: ask });
  const solveSeconds = (performance.now() - started) / 1000 - solution.proveSeconds;
  const plan = assemblePlacementPlan({
    instance,
    problem,
    method: "optimal",
    request,
    outcome: outcomeOf(solution),
    placement: isInfeasible ? null : placement,
    baselines,
    relaxed,
    evaluate: exactEvaluation(head),
    claim,
    timing: timingOf({ readSeconds, solveSeconds, proveSeconds: solution.proveSeconds }),
  });
  return { plan, verdict };
}

/** What a search came to. */
type Solution = Pick<NeuralSolution, "verdict" | "certificate" | "ceiling"> & {
  readonly direct: ProofOn["on"] | null;
};

/** What a solver that was asked for says of a program in its share of the time. */
export function claimOf(
  solver: Solver,
  program: Program,
  asking: {
    readonly request: PlanRequest;
    readonly shares: TimeShares;
    readonly shouldStop: (() => boolean) | undefined;
    readonly solution: Solution;
  },
) {
  const { request, shares, shouldStop = () => false, solution } = asking;
  const limits = { ...request, timeLimitSeconds: shares.next() };
  return askSolver(solver, program, limits, shouldStop, solution.verdict?.checked ?? null);
}

export function outcomeOf({ direct, ceiling, verdict, certificate }: Solution): PlacementOutcome | null {
  if (direct === null || verdict === null || certificate === null) return null;
  return { verdict, certificate, on: direct, ...(ceiling === undefined ? {} : { ceiling }) };
}

/** What placements of a problem come to: under a learned cost in exact arithmetic. */
export function evaluationOf({ instance, model }: PreparedPlacement): EvaluatePlacement | null {
  const { setCost } = model.problem;
  return setCost === undefined ? null : exactEvaluation(neuralHead(instance, setCost));
}

function exactEvaluation(head: NeuralHead): EvaluatePlacement {
  return (...placed) => evaluateNeural(head, ...placed);
}
