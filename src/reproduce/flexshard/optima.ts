import { buildRowTiers } from "../../../models/row-tiers/build.js";
import type { RowClasses } from "../../access/row-classes.js";
import type { Rational } from "../../exact/rational.js";
import { ROW_TIERS_OBJECTIVES, type RowTiersInstance } from "../../problems/row-tiers/instance/instance.js";
import type { Assignment } from "../../problems/row-tiers/plan-file/assignment.js";
import { evaluateRuns } from "../../problems/row-tiers/plan-file/evaluate-runs.js";
import { solveRowTiers } from "../../problems/row-tiers/solve/solve.js";
import { evaluateLadder } from "../../program/ladder/evaluate.js";
import type { GreedyGap, OptimumReproduction } from "./reproduction.js";
import { type TierTotals, tierTotals } from "./tier-totals.js";

export interface OptimaOptions {
  readonly gap: Rational;
  /** What the next optimum may take, asked before each. */
  readonly seconds: () => number;
  readonly shouldStop?: () => boolean;
}

/** One of the paper's plans for the instance. */
export interface GreedyPlan extends Pick<GreedyGap, "sharding" | "method"> {
  readonly assignment: Assignment;
}

/** The optimum of an instance under each of the three objectives, and how far above it the paper's plans are. */
export async function optima(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  plans: readonly GreedyPlan[],
  { seconds: secondsOf, ...options }: OptimaOptions,
): Promise<readonly OptimumReproduction[]> {
  const found: OptimumReproduction[] = [];
  for (const objective of ROW_TIERS_OBJECTIVES) {
    const model = buildRowTiers({ ...instance, objective }, access);
    const starts = plans.map(({ assignment }) => assignment);
    const { verdict, assignment } = await solveRowTiers(model, { ...options, starts, timeLimitSeconds: secondsOf() });
    const { value, bound, gap, status } = verdict;
    // The all-row_wise plan is within the budget, so there always is a plan.
    if (status === "infeasible" || value === null || bound === null || gap === null || assignment === null) {
      throw new RangeError(`${instance.name}: no plan within the budget`);
    }
    const seconds = value.toNumber();
    found.push({
      objective,
      status,
      seconds,
      boundSeconds: bound.toNumberDown(),
      provedGap: gap.toNumberUp(),
      tiers: sharesOf(tierTotals(instance, evaluateRuns(instance, access, assignment))),
      plans: plans.map(({ sharding, method, assignment: greedy }) => {
        const greedySeconds = evaluateLadder(model.ladder, model.pointOf(greedy)).objective;
        const aboveOptimum = greedySeconds.subtract(value).divide(value).toNumber();
        return { sharding, method, seconds: greedySeconds.toNumber(), aboveOptimum };
      }),
    });
  }
  return found;
}

/** Rows and share of accesses of every tier. */
export function sharesOf(totals: readonly TierTotals[]): OptimumReproduction["tiers"] {
  const all = totals.map(({ readBytes }) => readBytes).reduce((sum, readBytes) => sum.add(readBytes));
  return totals.map(({ tier, rows, readBytes }) => ({ tier, rows, share: readBytes.divide(all).toNumber() }));
}
