import { atBytes, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { Collective } from "../../instance/cluster.js";
import { type RowTiersInstance, TIERS } from "../../problems/row-tiers/instance/instance.js";
import type { RunsEvaluation, TierEvaluation } from "../../problems/row-tiers/plan-file/evaluate-runs.js";

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
