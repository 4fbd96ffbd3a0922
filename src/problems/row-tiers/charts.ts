import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import { nearest } from "../../plan-file/rounding.js";
import { rowTiersFrontier } from "./frontier/frontier.js";
import { evaluateRuns, isWithinBudgets } from "./plan-file/evaluate-runs.js";
import type { RowTiersPlan } from "./plan-file/plan-file.js";
import type { MethodPlan, RowTiersCharts } from "./report/input.js";
import { heuristicRuns, ROW_TIERS_HEURISTICS } from "./solve/heuristic-runs.js";
import { prepareRowTiers } from "./solve/plan.js";

/** Budgets at which a page has the optimum, and how near to it; a picture shows no more. */
const POINTS = 14;
const GAP = 1e-6;

/**
 * For all of them together, in seconds of a core's work; the clock has no part in it, so that a page is the same again. Where the
 * plan itself was not proved all of it would be used: who ended that search is not kept waiting for its picture.
 */
const DRAWING_SECONDS = { whole: 10, cutShort: 1 };
const TIME_LIMIT_SECONDS = 3600;

/** What the charts of a row-tiers plan need of its instance: access classes, every method's plan, the frontier. */
export async function rowTiersCharts(plan: RowTiersPlan, instance: RowTiersInstance): Promise<RowTiersCharts> {
  const { access, model } = await prepareRowTiers(instance);
  const methods = ROW_TIERS_HEURISTICS.filter((method) => method !== plan.method).map((method): MethodPlan => {
    const { assignment, reason } = heuristicRuns(method, instance, access);
    if (assignment === null) {
      return { method, reason, value: 0, isWithin: false, bytesPerGpu: 0, collectives: {}, tiers: [] };
    }
    const evaluation = evaluateRuns(instance, access, assignment);
    const collectives = Object.entries(evaluation.collectives).map(([name, seconds]) => [name, nearest(seconds)]);
    return {
      method,
      reason: null,
      value: nearest(evaluation.objective),
      isWithin: isWithinBudgets(instance, model.budgetBytes, evaluation),
      bytesPerGpu: nearest(evaluation.memoryBytes),
      collectives: Object.fromEntries(collectives),
      tiers: evaluation.tables
        .flat()
        .map(({ tier, memoryBytes }) => ({ tier, memoryBytesPerGpu: nearest(memoryBytes) })),
    };
  });
  const workSeconds = DRAWING_SECONDS[plan.status === "feasible" ? "cutShort" : "whole"];
  const asking = { points: POINTS, gap: GAP, workSeconds, timeLimitSeconds: TIME_LIMIT_SECONDS };
  return { access, methods, frontier: await rowTiersFrontier(instance, asking) };
}
