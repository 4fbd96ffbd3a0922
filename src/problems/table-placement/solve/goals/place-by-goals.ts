import { directProgram } from "../../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { secondProgram } from "../../../../../models/table-placement/second-program.js";
import type { Program } from "../../../../program/program.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { Verdict } from "../../../../proof/verdict.js";
import type { SecondOutcome } from "../../plan-file/second.js";
import { aggregatedBound } from "../bounds/aggregated-bound.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { searchPlacement } from "../local-search/index.js";
import { solvePlacement } from "../solve.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { firstMeasure, secondMeasure } from "./goal-in-doubles.js";
import { solveGoal } from "./solve-goal.js";

/** What is known of a placement problem for its goals. */
export interface GoalsSolution extends PlacementSolution {
  /** `null` where there is no second goal, or the first was not proved. */
  readonly second: SecondOutcome | null;
}

/** Rounds of the search for the largest cost that gives other goals a start. */
const START_ROUNDS = 2;

/**
 * Solves a placement problem for the goals that it has: the largest cost alone by `solvePlacement`; other goals and limited
 * moves by {@link solveGoal}; then a second goal among the placements that cost no more than the one found, in the time that
 * is left. The placement is the last one, and the verdict is about it.
 *
 * Throws `RangeError` for costs or bytes that the programs do not take.
 */
export async function placeByGoals(problem: PlacementProblem, options: SolvePlacementOptions): Promise<GoalsSolution> {
  const started = performance.now();
  const first = isPlain(problem) ? await solvePlacement(problem, options) : await solveFirst(problem, options);
  const timeLimitSeconds = options.timeLimitSeconds - (performance.now() - started) / 1000;
  const { mostUnits = Number.POSITIVE_INFINITY } = options;
  const left = { timeLimitSeconds, mostUnits: mostUnits - first.units };
  const second = await solveSecond(problem, first, { ...options, ...left });
  return second ?? { ...first, second: null };
}

/** Whether pattern bounds and the search for the largest cost know all that the problem asks for. */
export function isPlain({ goal, stay }: PlacementProblem): boolean {
  return goal !== "phases" && stay === undefined;
}

async function solveFirst(problem: PlacementProblem, options: SolvePlacementOptions): Promise<PlacementSolution> {
  const direct = directProgram(problem);
  const bounds = [aggregatedBound(problem, direct)];
  const task = { problem, built: direct, measure: firstMeasure(problem), starts: startsOf(problem), bounds };
  return { direct, ...(await solveGoal(task, options)) };
}

/** Where the tables are now, or a placement of a small largest cost. */
function startsOf(problem: PlacementProblem): Placement[] {
  if (problem.stay !== undefined) {
    const homes = problem.stay.homes.map(([home]) => home);
    return homes.every((home) => home !== undefined) ? [{ choices: homes }] : [];
  }
  const { placement } = searchPlacement(problem, {
    seed: 0,
    maxRounds: START_ROUNDS,
  });
  return placement === null ? [] : [placement];
}

async function solveSecond(
  problem: PlacementProblem,
  first: PlacementSolution,
  options: SolvePlacementOptions,
): Promise<GoalsSolution | null> {
  const { direct, verdict, certificate, placement } = first;
  const goal = problem.thenMinimize;
  if (goal === undefined || placement === null || certificate === null) return null;
  if (verdict?.status !== "proved" || verdict.value === null) return null;
  const cap = verdict.value;
  const built = secondProgram(problem, goal, cap);
  const found = await solveGoal(
    {
      ...{ problem, built, starts: [placement] },
      measure: secondMeasure(problem, goal, cap.toNumber()),
      bounds: [emptyBound(built.program)],
    },
    options,
  );
  if (found.verdict === null || found.certificate === null || found.placement === null) return null;
  const point = direct.pointOf(found.placement);
  return {
    direct,
    verdict: Verdict.ofChecked(direct.program, verdict.checked, point, options.gap),
    certificate,
    placement: found.placement,
    point,
    nodes: first.nodes + found.nodes,
    units: first.units + found.units,
    solveSeconds: first.solveSeconds + found.solveSeconds,
    proveSeconds: first.proveSeconds + found.proveSeconds,
    second: {
      ...{ verdict: found.verdict, certificate: found.certificate, cap },
      columns: built.program.columns.length,
      rows: built.program.rows.length,
    },
  };
}

/** What the bounds of the columns alone prove: the least there is to say before anything else is known. */
function emptyBound(program: Program): BoundProof {
  const { view, box } = viewOf(program);
  return { claim: lagrangianBound(view, box, new Map()).bound, steps: [{ bound: {} }] };
}
