import { buildRowTiers } from "../../../models/row-tiers/build.js";
import type { RowClasses } from "../../access/row-classes.js";
import { atBytes, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { Collective } from "../../instance/cluster.js";
import type { Assignment } from "../../instance/types/assignment.js";
import { ROW_TIERS_OBJECTIVES, type RowTiersInstance, TIERS } from "../../instance/types/row-tiers.js";
import {
  evaluateRuns,
  type RunsEvaluation,
  type TierEvaluation,
} from "../../problems/row-tiers/plan-file/evaluate-runs.js";
import { solveRowTiers } from "../../problems/row-tiers/solve/solve.js";
import { evaluateLadder } from "../../program/ladder/evaluate.js";
import type { GreedyGap, OptimumReproduction } from "./reproduction.js";

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

/** What a plan puts into one tier, over all tables. */
export type TierTotals = Pick<TierEvaluation, "tier" | "rows" | "parameterBytes" | "readBytes">;

/** Of every tier that the instance allows; tiers without rows have zeros. */
export function tierTotals({ tiers }: RowTiersInstance, { tables }: RunsEvaluation): readonly TierTotals[] {
  return tiers
    .map((tier) =>
      tables.flatMap((ofTable): TierTotals[] => ofTable.filter((one) => one.tier === tier)).reduce(together),
    )
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
}

function together(a: TierTotals, b: TierTotals): TierTotals {
  return {
    tier: a.tier,
    rows: a.rows + b.rows,
    parameterBytes: a.parameterBytes.add(b.parameterBytes),
    readBytes: a.readBytes.add(b.readBytes),
  };
}

/** Bytes that one GPU sends by a collective in all passes of an iteration. */
export function collectiveBytes(
  instance: RowTiersInstance,
  totals: readonly TierTotals[],
  collective: Collective,
): Rational {
  return totals.reduce((sum, { tier, parameterBytes, readBytes }) => {
    const moved = tierCosts(instance, [tier])[0]?.collectives.find((cost) => cost.collective === collective);
    return moved === undefined ? sum : sum.add(atBytes(moved.bytes, parameterBytes, readBytes));
  }, Rational.zero);
}
