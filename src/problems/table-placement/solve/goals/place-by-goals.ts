import { aggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import type { DirectProgram, PlacementProgram } from "../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement, keptValue } from "../../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem, Stage } from "../../../../../models/table-placement/problem.js";
import { type StageProblem, stageProblem, stageProgram } from "../../../../../models/table-placement/stage-problem.js";
import { type Held, stagesOf } from "../../../../../models/table-placement/stages.js";
import { Rational } from "../../../../exact/rational.js";
import { allowedValue } from "../../../../instance/allowance.js";
import type { Program } from "../../../../program/program.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { viewOf } from "../../../../proof/kernel/view.js";
import { Verdict } from "../../../../proof/verdict.js";
import { UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import type { StageOutcome } from "../../plan-file/stages.js";
import { aggregatedBound } from "../bounds/aggregated-bound.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { isBelowCeiling, solveBelowCeiling } from "../ceiling/solve-below.js";
import { solveLargePlacement } from "../large/solve-large.js";
import { searchPlacement } from "../local-search/index.js";
import { budgetOf, unitsOf } from "../placement-state.js";
import { firstSlice, isLarge } from "../problem-size.js";
import { solvePlacement } from "../solve.js";
import type { PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { goalMeasure } from "./goal-in-doubles.js";
import { placementNow } from "./placement-now.js";
import { solveGoal } from "./solve-goal.js";

/**
 * What is known of a placement problem for its goals: the placement is that of the last stage, and the verdict about it; program
 * and certificate are the first stage's.
 */
export interface GoalsSolution extends Omit<PlacementSolution, "direct"> {
  readonly direct: PlacementSolution["direct"] | PlacementProgram;
  /** What was found and proved of each stage, as far as there was time. */
  readonly stages: readonly StageOutcome[];
}

/** The last stage gets so many times the work of another: those before it are held to an allowance, not to their optimum. */
const LAST_SHARES = 2;

/** Rounds of the search for the largest cost that gives other goals a start. */
const START_ROUNDS = 2;

/**
 * Solves a placement problem for its goals in order, each among the placements that are within the allowances of those before:
 * a largest cost or memory alone by `solvePlacement`; other goals and limited moves by {@link solveGoal}. Work that
 * is left is shared out among the stages that are left, twice as much for the last, and so is the clock, for a machine so busy
 * that it ends a stage first; a goal and one to minimise then (`thenMinimize`) have what is left.
 *
 * Throws `RangeError` for costs or bytes that the programs do not take.
 */
export async function placeByGoals(problem: PlacementProblem, asking: SolvePlacementOptions): Promise<GoalsSolution> {
  const started = performance.now();
  const below = isBelowCeiling(problem, asking) ? await solveBelowCeiling(problem, asking) : null;
  if (below !== null && below.solution !== null) return { ...below.solution, stages: [] };
  // Where nothing was proved below a ceiling, of the whole in what time and work are left.
  const options =
    below === null
      ? asking
      : {
          ...asking,
          ...{ workSeconds: asking.workSeconds ?? asking.timeLimitSeconds, starts: below.placements },
          ...(asking.mostUnits === undefined ? {} : { mostUnits: Math.max(0, asking.mostUnits - below.units) }),
          timeLimitSeconds: Math.max(0, asking.timeLimitSeconds - (performance.now() - started) / 1000),
        };
  if (isLarge(problem, unitsOf(options))) return { ...solveLargePlacement(problem, options), stages: [] };
  const { workSeconds = options.timeLimitSeconds, mostUnits = Number.POSITIVE_INFINITY } = options;
  const all = stagesOf(problem);
  const isShort = problem.stages === undefined;
  const held: Held[] = [];
  const stages: StageOutcome[] = [];
  let solution: (PlacementSolutionOf & { readonly stages: readonly StageOutcome[] }) | null = null;
  let units = Math.min(mostUnits, isShort ? Number.POSITIVE_INFINITY : UNITS_PER_SECOND * workSeconds);
  for (const [k, stage] of all.entries()) {
    const left = isShort || k === all.length - 1 ? 1 : all.length - k - 1 + LAST_SHARES;
    const share = units / left;
    const secondsLeft = options.timeLimitSeconds - (performance.now() - started) / 1000;
    const last = stages.at(-1)?.placement;
    const asked = {
      ...options,
      timeLimitSeconds: secondsLeft / left,
      mostUnits: share,
      workSeconds: isShort ? workSeconds : share / UNITS_PER_SECOND,
      starts: last === undefined ? (options.starts ?? []) : [last],
      ...(isShort || k === all.length - 1 ? {} : allowedOf(stage)),
    };
    const own = stageProblem(problem, k, held);
    const solved = await solveStage(problem, own, held, asked);
    units -= solved.units;
    const outcome = outcomeOf(stage, solved);
    if (outcome !== null) stages.push(outcome);
    solution = solution === null ? { ...solved, stages } : withStage(solution, solved, outcome, options.gap);
    const isKnown = outcome !== null && (!isShort || solved.verdict?.status === "proved");
    if (!isKnown) break;
    held.push({ goal: stage.minimize, most: outcome.most });
  }
  return solution as GoalsSolution;
}

/** A stage's allowance as a share, where it is one. */
function allowedOf({ allow }: Stage): Pick<SolvePlacementOptions, "allowed"> {
  return "amount" in allow ? {} : { allowed: Rational.parse(allow.percent).divide(Rational.of(100n)) };
}

/** What is known of a stage alone. */
export type PlacementSolutionOf = Omit<GoalsSolution, "stages">;

/** Solves one stage, among the placements within what is held. */
export async function solveStage(
  whole: PlacementProblem,
  stage: StageProblem,
  held: readonly Held[],
  options: SolvePlacementOptions,
): Promise<PlacementSolutionOf> {
  const { problem, goal, plain } = stage;
  const judge = (placement: Placement) => keptValue(whole, goal, held, evaluatePlacement(whole, placement));
  if (plain !== null) {
    const isTaken = (placement: Placement) => judge(placement) !== null;
    const takesAggregated = whole.stages !== undefined;
    return solvePlacement(plain, { ...options, judge, takesAggregated, ...(held.length === 0 ? {} : { isTaken }) });
  }
  const budget = budgetOf(options);
  const direct = budget.within((checkTime) => stageProgram(stage, checkTime));
  if (direct === null) return withoutProgram(problem, options);
  const isFirst = held.length === 0;
  const bounds =
    "structure" in direct ? [aggregatedBound(problem, direct as DirectProgram)] : [emptyBound(direct.program)];
  const task = {
    ...{ problem, built: direct, bounds, measure: goalMeasure(problem, goal, stage.held) },
    starts: isFirst ? startsOf(problem, direct.program, budget.isOver) : (options.starts ?? []),
    now: goal === "moved-bytes" ? placementNow(problem) : null,
  };
  return { direct, ...(await solveGoal(task, { ...options, judge })) };
}

/** What is known where the time was over before a program was built: the best placement to begin from. */
function withoutProgram(problem: PlacementProblem, { starts = [] }: SolvePlacementOptions): PlacementSolutionOf {
  const known = starts
    .map((placement) => ({ placement, ...evaluatePlacement(problem, placement) }))
    .filter(({ violations }) => violations.length === 0)
    .sort((a, b) => a.objective.compare(b.objective));
  return {
    direct: aggregatedProgram(problem),
    ...{ verdict: null, certificate: null, placement: known[0]?.placement ?? null, point: null },
    ...{ nodes: 0, units: 0, solveSeconds: 0, proveSeconds: 0 },
  };
}

/** Where the tables are now, or a placement of a small largest cost. */
function startsOf(problem: PlacementProblem, { columns }: Program, isOver: () => boolean): Placement[] {
  if (problem.stay !== undefined) {
    const homes = problem.stay.homes.map((own) => own?.[0]);
    return homes.every((home) => home !== undefined) ? [{ choices: homes }] : [];
  }
  const { placement } = searchPlacement(problem, {
    seed: 0,
    maxRounds: START_ROUNDS,
    shouldStop: new Work(isOver, firstSlice(columns.length)).ask,
  });
  return placement === null ? [] : [placement];
}

/** `null` without a placement, or without a bound of it. */
function outcomeOf(stage: Stage, solved: PlacementSolutionOf): StageOutcome | null {
  const { verdict, certificate, placement, direct } = solved;
  if (verdict === null || verdict.value === null || certificate === null || placement === null) return null;
  return { verdict, certificate, on: direct, placement, most: allowedValue(verdict.value, stage.allow) };
}

function withStage<Known extends PlacementSolutionOf>(
  first: Known,
  next: PlacementSolutionOf,
  outcome: StageOutcome | null,
  gap: Rational,
): Known {
  const { direct, verdict } = first;
  const placement = outcome?.placement ?? first.placement;
  const point = placement === null ? null : direct.pointOf(placement);
  return {
    ...first,
    placement,
    point,
    verdict: verdict && Verdict.ofChecked(direct.program, verdict.checked, point, gap),
    nodes: first.nodes + next.nodes,
    units: first.units + next.units,
    solveSeconds: first.solveSeconds + next.solveSeconds,
    proveSeconds: first.proveSeconds + next.proveSeconds,
  };
}

/** What the bounds of the columns alone prove: the least there is to say before anything else is known. */
function emptyBound(program: Program): BoundProof {
  const { view, box } = viewOf(program);
  return { claim: lagrangianBound(view, box, new Map()).bound, steps: [{ bound: {} }] };
}
