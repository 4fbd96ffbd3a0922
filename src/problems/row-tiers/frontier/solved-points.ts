import { mostOfRow, type RowTiersModel, withBudget } from "../../../../models/row-tiers/build.js";
import type { RowClasses } from "../../../access/row-classes.js";
import type { Rational } from "../../../exact/rational.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import type { LadderRow } from "../../../program/ladder/ladder.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { Progress } from "../../../search/branch-and-bound/search.js";
import { UNITS_PER_SECOND } from "../../../search/work.js";
import { spreadBudgets } from "../../spread-budgets.js";
import { evaluateRuns } from "../plan-file/evaluate-runs.js";
import { leastMemory } from "../plan-file/least-memory.js";
import { heuristicRuns } from "../solve/heuristic-runs.js";
import type { PreparedRowTiers } from "../solve/plan.js";
import { solveRowTiers } from "../solve/solve.js";
import type { RelaxedFrontier } from "./relaxed-frontier.js";

/** The best plan found at one budget of memory, with its proof. */
export interface SolvedPoint {
  readonly budgetBytes: Rational;
  /** The budget is the instance's own. */
  readonly isOwn: boolean;
  /** `proved` or `feasible`: every budget here holds a plan. */
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  readonly assignment: Assignment;
  /** What the plan uses of the budget. */
  readonly usedBytes: Rational;
  readonly proveSeconds: number;
}

/** By rising budget; `missing`: how many more there would be. */
export interface SolvedPoints {
  readonly points: readonly SolvedPoint[];
  readonly missing: number;
}

export interface SolvePointsOptions {
  /** How many budgets, beside the instance's own. */
  readonly points: number;
  /** Relative gap to prove at each. */
  readonly gap: Rational;
  /** For all of them together. */
  readonly timeLimitSeconds: number;
  /** The time limit that work is shared out by. */
  readonly workSeconds: number;
  readonly shouldStop: () => boolean;
  readonly onProgress: (progress: Progress, point: number, points: number) => void;
}

/**
 * The integer optimum at budgets of memory spread evenly from the least memory of any plan to where more of it is of no
 * use, and at the instance's own budget; by rising budget. Each is solved with the same classes under another side of the
 * memory row, from the plan of the budget before it; each has a share of the work that is left. Ends early when asked
 * to, or once time is up, with the points that are solved by then.
 */
export async function solvePoints(
  { instance, access, model }: PreparedRowTiers,
  frontier: RelaxedFrontier,
  options: SolvePointsOptions,
): Promise<SolvedPoints> {
  const { points, shouldStop } = options;
  const deadline = performance.now() + options.timeLimitSeconds * 1000;
  let unitsLeft = options.workSeconds * UNITS_PER_SECOND;
  const solved: SolvedPoint[] = [];
  // Where host memory binds, the least memory of a plan is not known to the byte: whether there is one is then proved.
  const own = model.budgetBytes.compare(frontier.curve.first.bytes) >= 0 ? model : null;
  const budgets = points + (own === null ? 0 : 1);
  // Two more where the end is to be found: where the relaxation's curve is level, and without a budget.
  const total = budgets + (isIntegralAtEnd(model, frontier) ? 0 : 2);
  let left = total;
  const solve = async (at: RowTiersModel, starts: readonly Assignment[]): Promise<SolvedPoint | null> => {
    const mostUnits = unitsLeft / left;
    left--;
    const solution = await solveRowTiers(at, {
      gap: options.gap,
      timeLimitSeconds: Math.max(0, deadline - performance.now()) / 1000,
      mostUnits,
      starts: [...starts, ...greedyStarts(at.instance, access)],
      shouldStop,
      onProgress: (progress) => options.onProgress(progress, total - left, total),
    });
    const { verdict, certificate, assignment, units, proveSeconds } = solution;
    unitsLeft -= units;
    if (assignment === null) return null;
    const usedBytes = evaluateRuns(instance, access, assignment).memoryBytes;
    const point = { budgetBytes: at.budgetBytes, isOwn: at === own, verdict, certificate, assignment, usedBytes };
    return { ...point, proveSeconds };
  };
  const least = leastMemory(instance, access).tables.map(({ runs }) => runs);
  const { last } = frontier.curve;
  const low = frontier.leastPlanBytes.toNumberUp();
  let high = last.bytes.toNumberUp();
  if (!isIntegralAtEnd(model, frontier)) {
    // The relaxation's curve is level from here on; a plan may need more memory to be as good as any.
    const level = await solve(withBudget(model, high), [least]);
    const free = await solve(withBudget(model, bytesOfAll(model)), level === null ? [least] : [level.assignment]);
    if (level !== null) solved.push(level);
    if (free !== null && (level === null || isBetter(free, level, options.gap))) high = free.usedBytes.toNumberUp();
    if (free !== null) solved.push(free);
  }
  const spread = spreadBudgets(low, high, points)
    .map((bytes) => withBudget(model, bytes))
    .filter(({ budgetBytes }) => own?.budgetBytes.equals(budgetBytes) !== true);
  const wanted = [...spread, ...(own === null ? [] : [own])];
  wanted.sort((a, b) => a.budgetBytes.compare(b.budgetBytes));
  left = wanted.length;
  const found: SolvedPoint[] = [];
  let missing = wanted.length;
  for (const at of wanted) {
    if (shouldStop() || performance.now() > deadline) break;
    missing--;
    // A plan within a smaller budget is one within this.
    const known = [found.at(-1), ...solved].filter(
      (point) => point !== undefined && point.usedBytes.compare(at.budgetBytes) <= 0,
    ) as SolvedPoint[];
    const point = await solve(at, known.length === 0 ? [least] : known.map(({ assignment }) => assignment));
    if (point !== null) found.push(point);
  }
  return { points: found, missing };
}

function greedyStarts(instance: RowTiersInstance, access: readonly RowClasses[]): readonly Assignment[] {
  return (["flexshard-2tier", "flexshard-3tier"] as const).flatMap((name) => {
    const { assignment } = heuristicRuns(name, instance, access);
    return assignment === null ? [] : [assignment];
  });
}

/** The last break-point is a plan, and its seconds are the least of any plan. */
function isIntegralAtEnd({ structure: { carriers } }: RowTiersModel, { method }: RelaxedFrontier): boolean {
  return method === "sorted" && carriers.length === 0;
}

function isBetter(a: SolvedPoint, b: SolvedPoint, gap: Rational): boolean {
  const [better, value] = [a.verdict.value as Rational, b.verdict.value as Rational];
  return value.subtract(better).compare(value.multiply(gap)) > 0;
}

/** A budget that no plan is over. */
function bytesOfAll({ ladder, structure }: RowTiersModel): number {
  return mostOfRow(ladder, (ladder.rows[structure.memoryRow] as LadderRow).form).toNumberUp();
}
