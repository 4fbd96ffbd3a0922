import type { RowClasses } from "../../access/row-classes.js";
import { atBytes, type TierCost, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { Collective } from "../../instance/cluster.js";
import { type RowTiersInstance, TIERS, type Tier } from "../../problems/row-tiers/instance/instance.js";
import type { Assignment } from "../../problems/row-tiers/plan-file/assignment.js";
import { evaluateRuns, type TierEvaluation } from "../../problems/row-tiers/plan-file/evaluate-runs.js";

/** What a plan puts into one tier, over all tables. */
export interface TierTotals {
  readonly tier: Tier;
  readonly rows: number;
  /** R: bytes of parameters. */
  readonly parameterBytes: Rational;
  /** S: bytes read per sample. */
  readonly readBytes: Rational;
}

/** R and S of every tier that the instance allows; tiers without rows have zeros. */
export function tierTotals(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  assignment: Assignment,
): readonly TierTotals[] {
  const { tables } = evaluateRuns(instance, access, assignment);
  return instance.tiers
    .map((tier) => tables.flatMap((ofTable) => ofTable.filter((one) => one.tier === tier)).reduce(together))
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
}

function together(a: TierEvaluation, b: TierEvaluation): TierEvaluation {
  return {
    ...a,
    rows: a.rows + b.rows,
    parameterBytes: a.parameterBytes.add(b.parameterBytes),
    readBytes: a.readBytes.add(b.readBytes),
  };
}

/** Memory per GPU of a plan with these totals. */
export function memoryBytes(instance: RowTiersInstance, totals: readonly TierTotals[]): Rational {
  return costsOf(instance, totals).reduce(
    (sum, { memory }, t) => sum.add(atTotals(memory, totals[t] as TierTotals)),
    Rational.zero,
  );
}

/** Bytes that one GPU sends by a collective in all passes of an iteration. */
export function collectiveBytes(
  instance: RowTiersInstance,
  totals: readonly TierTotals[],
  collective: Collective,
): Rational {
  return costsOf(instance, totals).reduce((sum, { collectives }, t) => {
    const moved = collectives.find((cost) => cost.collective === collective);
    return moved === undefined ? sum : sum.add(atTotals(moved.bytes, totals[t] as TierTotals));
  }, Rational.zero);
}

function costsOf(instance: RowTiersInstance, totals: readonly TierTotals[]): readonly TierCost[] {
  return tierCosts(
    instance,
    totals.map(({ tier }) => tier),
  );
}

function atTotals(cost: TierCost["memory"], { parameterBytes, readBytes }: TierTotals): Rational {
  return atBytes(cost, parameterBytes, readBytes);
}
