import { countsOf } from "../../../models/row-tiers/assignment.js";
import type { RowTiersModel } from "../../../models/row-tiers/build.js";
import type { UnitClass } from "../../../models/row-tiers/unit-classes.js";
import { atBytes, type TierCost, tierCosts } from "../../cost/flexshard.js";
import { Rational } from "../../exact/rational.js";
import type { Collective, RowTiersInstance, Tier } from "../../instance/instance.js";
import type { Assignment } from "../../plan/row-tiers-assignment.js";

/** What a plan puts into one tier, over all tables. */
export interface TierTotals {
  readonly tier: Tier;
  readonly rows: number;
  /** R: bytes of parameters. */
  readonly parameterBytes: Rational;
  /** S: bytes read per sample. */
  readonly readBytes: Rational;
}

/** R and S of every tier of the model; tiers without rows have zeros. */
export function tierTotals(model: RowTiersModel, assignment: Assignment): readonly TierTotals[] {
  const { instance, classes, tierSet } = model;
  const counts = countsOf(instance, classes, tierSet, assignment);
  return tierSet.tiers.map((tier, t) => {
    let rows = 0;
    let parameters = 0n;
    let reads = Rational.zero;
    classes.forEach(({ rowsPerUnit, parameterBytes, readBytes }: UnitClass, i) => {
      const units = counts[i * tierSet.tiers.length + t] as number;
      if (units === 0) return;
      rows += units * rowsPerUnit;
      parameters += BigInt(units) * parameterBytes;
      reads = reads.add(readBytes.multiply(Rational.of(BigInt(units))));
    });
    return { tier, rows, parameterBytes: Rational.of(parameters), readBytes: reads };
  });
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
