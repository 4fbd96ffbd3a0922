import type { RowClasses } from "../../../access/row-classes.js";
import { Rational } from "../../../exact/rational.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import type { RowTiersHeuristicName } from "../methods/index.js";
import { evaluateRuns, isWithinBudgets } from "../plan-file/evaluate-runs.js";
import { heuristicRuns } from "../solve/heuristic-runs.js";
import type { CurvePoint } from "./convex-curve.js";

/** What a published method gives at one budget. */
export interface GreedyPoint {
  readonly budgetBytes: Rational;
  /** The method's plan as it is: what it uses, and its seconds. */
  readonly raw: CurvePoint;
  /** Whether it keeps to the host memory. */
  readonly keepsToHost: boolean;
  /** Within the budget, and the host memory. */
  readonly isWithin: boolean;
  /** The least seconds of its plans at this budget and the smaller ones; `null` while none of them is within. */
  readonly seconds: Rational | null;
}

/** A published method's frontier, or why there is none. */
export type GreedyCurve =
  | { readonly method: string; readonly reason: string; readonly points: readonly [] }
  | { readonly method: string; readonly reason: null; readonly points: readonly GreedyPoint[] };

/**
 * A method's plans at some budgets, rising. A plan within a smaller budget is a plan within a wider one, so the frontier
 * at a budget is the best of its plans up to there: `flexshard-2tier` by itself becomes slower again with a budget beyond
 * point C, because its rule does not look at communication.
 */
export function greedyCurve(
  method: RowTiersHeuristicName,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  budgets: readonly { readonly budgetBytes: Rational; readonly isOwn: boolean }[],
): GreedyCurve {
  const points: GreedyPoint[] = [];
  let best: Rational | null = null;
  for (const { budgetBytes, isOwn } of budgets) {
    const budget = { kind: "bytesPerGpu", bytes: budgetBytes.toNumber() } as const;
    const { assignment, reason } = heuristicRuns(method, isOwn ? instance : { ...instance, budget }, access);
    if (assignment === null) return { method, reason, points: [] };
    const evaluation = evaluateRuns(instance, access, assignment);
    const { objective: seconds, memoryBytes: bytes } = evaluation;
    const keepsToHost = isWithinBudgets(instance, bytes, evaluation);
    const isWithin = keepsToHost && bytes.compare(budgetBytes) <= 0;
    if (isWithin && (best === null || seconds.compare(best) < 0)) best = seconds;
    points.push({ budgetBytes, raw: { bytes, seconds }, keepsToHost, isWithin, seconds: best });
  }
  return { method, reason: null, points };
}

/** How far a method's frontier is above the optimum, relative to the bound proved at each budget. */
export interface GreedyGaps {
  /** One for each budget, `null` where there is no plan or the bound is 0 and the plan is not. */
  readonly each: readonly (Rational | null)[];
  readonly largest: Rational | null;
  readonly mean: Rational | null;
}

export function greedyGaps(
  { points }: GreedyCurve,
  optima: readonly { readonly verdict: { readonly bound: Rational | null } }[],
): GreedyGaps {
  const each = points.map(({ seconds }, k) => {
    const bound = optima[k]?.verdict.bound ?? null;
    if (seconds === null || bound === null) return null;
    const above = seconds.subtract(bound);
    return above.sign() === 0 ? Rational.zero : bound.sign() === 0 ? null : above.divide(bound);
  });
  const known = each.filter((gap) => gap !== null);
  if (known.length === 0) return { each, largest: null, mean: null };
  const sum = known.reduce((all, gap) => all.add(gap), Rational.zero);
  return {
    each,
    largest: known.reduce((a, b) => (a.compare(b) >= 0 ? a : b)),
    mean: sum.divide(Rational.of(BigInt(known.length))),
  };
}
