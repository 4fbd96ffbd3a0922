import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { PlacementModel } from "../../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import {
  leastMemoryOf,
  memoryFor,
  memoryForAll,
  mostMemory,
  withMemory,
} from "../../../../models/table-placement/with-memory.js";
import { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import { holdAgainst, type Known } from "../../../proof/hold-against.js";
import { relativeGap } from "../../../proof/verdict.js";
import type { Progress } from "../../../search/branch-and-bound/search.js";
import { inPieces, UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { spreadBudgets } from "../../spread-budgets.js";
import { provedOf } from "../plan-file/hold-placements.js";
import { placeByGoals } from "../solve/goals/place-by-goals.js";
import { baselinePlacements, placementStarts } from "../solve/heuristic-runs.js";
import { openingUnits, solvedEntries } from "../solve/problem-size.js";

/** What was found and proved with so much memory. */
export interface SolvedBudget {
  readonly bytes: number;
  readonly certificate: Certificate | null;
  readonly isInfeasible: boolean;
  readonly bound: Rational | null;
  readonly plan: FoundPlan | null;
}

/** A plan, what it comes to and what memory it needs. */
export interface FoundPlan {
  readonly placement: Placement;
  readonly value: Rational;
  readonly usedBytes: number;
}

/** A budget with the best that is known of it, from any of the budgets that were solved. */
export interface FrontierBudget {
  readonly bytes: number;
  readonly isOwn: boolean;
  readonly plan: FoundPlan | null;
  /** Where the bound was proved. */
  readonly proved: SolvedBudget | null;
  /** Between plan and bound; `null` without both. */
  readonly gap: Rational | null;
}

export interface SolvedBudgets {
  readonly leastBytes: number;
  readonly enoughBytes: number | null;
  readonly solved: readonly SolvedBudget[];
  readonly budgets: readonly FrontierBudget[];
  /** Budgets that there was no time to look into, or not until the work was done. */
  readonly missing: number;
}

export interface SolveBudgetsOptions {
  readonly points: number;
  readonly gap: Rational;
  readonly seed: number;
  readonly timeLimitSeconds: number;
  /** The time limit that work is shared out by. */
  readonly workSeconds: number;
  readonly shouldStop: () => boolean;
  readonly onProgress: (progress: Progress, point: number, points: number) => void;
}

/** The share of a budget's work that published methods may do. */
const START_SHARE = 0.25;

/**
 * The best plans and bounds at budgets of device memory, spread evenly from what no plan has less of to what the best plan
 * without limits needs, and at the instance's own. A plan is one at every budget that it fits, and a bound holds with less
 * memory too: with the best of all of them, values and bounds do not rise with memory.
 */
export async function solveBudgets(model: PlacementModel, options: SolveBudgetsOptions): Promise<SolvedBudgets> {
  const { thenMinimize: _second, stages: _stages, ...problem } = model.problem;
  const deadline = performance.now() + options.timeLimitSeconds * 1000;
  const own = mostMemory(problem);
  const leastBytes = leastMemoryOf(problem);
  // Not below the instance's own, at which it is asked for: where there is no plan with so much, there is none with less.
  const all = Math.max(memoryForAll(problem) ?? own, own);
  const solved: SolvedBudget[] = [];
  const known: Known<Placement>[] = [];
  let unitsLeft = options.workSeconds * UNITS_PER_SECOND;
  const opening = openingUnits(solvedEntries(problem, unitsLeft / (options.points + 2)));
  const isLate = () => options.shouldStop() || performance.now() > deadline;
  let left = options.points + 2;
  const total = left;
  const solve = async (bytes: number): Promise<void> => {
    const at = withMemory(problem, bytes);
    const mostUnits = unitsLeft / left;
    left--;
    const work = new Work(options.shouldStop, START_SHARE * mostUnits);
    const shouldStop = inPieces(work.ask, UNITS.packing);
    const published = baselinePlacements(
      placementStarts(at),
      { ...model, problem: at },
      { seed: options.seed, shouldStop },
    );
    for (const { method, placement: plan } of published) {
      if (plan !== null) known.push({ what: `the plan of ${method} for ${bytes} bytes`, plan });
    }
    const best = bestPlan(solved, bytes);
    const timeLimitSeconds = Math.max(0, deadline - performance.now()) / 1000;
    const solution = await placeByGoals(at, {
      ...{ gap: options.gap, seed: options.seed, timeLimitSeconds, shouldStop: options.shouldStop },
      ...{ workSeconds: mostUnits / UNITS_PER_SECOND, mostUnits },
      starts: [...(best === null ? [] : [best.placement]), ...published.flatMap(({ placement }) => placement ?? [])],
      onProgress: (progress) => options.onProgress(progress, total - left, total),
    });
    unitsLeft -= solution.units + work.done + opening;
    const { certificate, placement } = solution;
    const claim = certificate?.claim;
    if (placement !== null) known.push({ what: `the plan for ${bytes} bytes`, plan: placement });
    solved.push({
      ...{ bytes, certificate },
      ...{ isInfeasible: claim?.kind === "infeasible" },
      bound: claim?.kind === "bound" ? Rational.parse(claim.bound) : null,
      plan: placement === null ? null : planOf(problem, placement),
    });
  };
  if (opening <= unitsLeft) await solve(all);
  const enoughBytes = solved[0]?.plan?.usedBytes ?? null;
  const spread = spreadBudgets(leastBytes, Math.max(leastBytes, enoughBytes ?? own), options.points).map(Math.round);
  const wanted = [...new Set([...spread, own])].sort((a, b) => a - b);
  left = wanted.length;
  let missing = 0;
  for (const bytes of wanted) {
    if (isSettled(solved, bytes, options.gap)) left--;
    else if (isLate() || opening > unitsLeft) missing++;
    else {
      await solve(bytes);
      if (isLate() && !isSettled(solved, bytes, options.gap)) missing++;
    }
  }
  holdAgainst(
    known,
    solved
      .map((one) => provedOf(withMemory(problem, one.bytes), one, `plans of ${one.bytes} bytes`))
      .filter((_, k) => solved[k]?.certificate),
  );
  const budgets = wanted.map((bytes) => budgetOf(solved, bytes, bytes === own));
  return { leastBytes, enoughBytes, solved, budgets, missing };
}

function planOf(problem: PlacementProblem, placement: Placement): FoundPlan {
  const { objective, hbmBytes } = evaluatePlacement(problem, placement);
  return { placement, value: objective, usedBytes: memoryFor(problem, hbmBytes) as number };
}

/** The best plan that fits. */
function bestPlan(solved: readonly SolvedBudget[], bytes: number): FoundPlan | null {
  return solved.reduce<FoundPlan | null>((best, { plan }) => {
    if (plan === null || plan.usedBytes > bytes) return best;
    return best === null || plan.value.compare(best.value) < 0 ? plan : best;
  }, null);
}

/** The best of what was proved with as much memory or more. */
function bestProof(solved: readonly SolvedBudget[], bytes: number): SolvedBudget | null {
  return solved.reduce<SolvedBudget | null>((best, one) => {
    if (one.bytes < bytes || one.certificate === null || best?.isInfeasible) return best;
    if (best === null || one.isInfeasible) return one;
    return (one.bound as Rational).compare(best.bound as Rational) > 0 ? one : best;
  }, null);
}

/** Whether what is known from other budgets closes the gap at this one. */
function isSettled(solved: readonly SolvedBudget[], bytes: number, gap: Rational): boolean {
  const proof = bestProof(solved, bytes);
  const plan = bestPlan(solved, bytes);
  if (proof?.isInfeasible) return true;
  if (proof === null || proof.bound === null || plan === null) return false;
  return plan.value.subtract(proof.bound).compare(plan.value.multiply(gap)) <= 0;
}

/** The plan keeps all limits where the bound was proved too, which is with no less memory. */
function budgetOf(solved: readonly SolvedBudget[], bytes: number, isOwn: boolean): FrontierBudget {
  const proved = bestProof(solved, bytes);
  const plan = proved?.isInfeasible ? null : bestPlan(solved, bytes);
  const bound = proved?.bound ?? null;
  if (plan === null || bound === null) return { bytes, isOwn, plan, proved, gap: null };
  if (plan.value.compare(bound) < 0) {
    throw new RangeError(
      `a plan of ${plan.value} is better than the bound ${bound} that was checked: one of the two is wrong`,
    );
  }
  return { bytes, isOwn, plan, proved, gap: relativeGap(plan.value, bound) };
}
