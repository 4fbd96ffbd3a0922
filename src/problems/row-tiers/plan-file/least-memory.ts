import type { RowClasses } from "../../../access/row-classes.js";
import { atBytes, type TierCost, tierCosts } from "../../../cost/flexshard.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import { Rational } from "../../../exact/rational.js";
import type { Run } from "../../../instance/types/assignment.js";
import type { RowTiersInstance, Table } from "../../../instance/types/row-tiers.js";

/** The least memory of any plan, and what it is made of. Bytes per GPU. */
export interface LeastMemory {
  readonly bytes: Rational;
  /** One entry per table, in the instance's order. */
  readonly tables: readonly { readonly name: string; readonly bytes: Rational; readonly runs: readonly Run[] }[];
}

/**
 * The least memory of any plan: memory is a sum over rows, so each row, or with a granularity each block of rows, takes
 * the tier that needs least for it. `access` holds one entry per table.
 */
export function leastMemory(instance: RowTiersInstance, access: readonly RowClasses[]): LeastMemory {
  const costs = tierCosts(instance);
  const tables = instance.tables.map((table, index) => ({
    name: table.name,
    ...leastOfTable(table, access[index] as RowClasses, instance.granularity, costs),
  }));
  return { tables, bytes: tables.reduce((sum, { bytes }) => sum.add(bytes), Rational.zero) };
}

function leastOfTable(table: Table, access: RowClasses, granularity: number, costs: readonly TierCost[]) {
  const rowBytes = Rational.of(BigInt(table.dim) * BigInt(table.elementBytes));
  const runs: Run[] = [];
  let bytes = Rational.zero;
  for (const { blocks, rows, appearances } of blocksOf(access, granularity)) {
    const parameterBytes = Rational.of(BigInt(rows)).multiply(rowBytes);
    const readBytes = appearances.multiply(rowBytes);
    const [first, ...others] = costs.map(({ tier, memory }) => ({
      tier,
      bytes: atBytes(memory, parameterBytes, readBytes),
    })) as [{ tier: Run["tier"]; bytes: Rational }, ...{ tier: Run["tier"]; bytes: Rational }[]];
    const least = others.reduce((best, other) => (other.bytes.compare(best.bytes) < 0 ? other : best), first);
    bytes = bytes.add(least.bytes.multiply(Rational.of(BigInt(blocks))));
    const last = runs.at(-1);
    if (last?.tier === least.tier) runs[runs.length - 1] = { rows: last.rows + blocks * rows, tier: least.tier };
    else runs.push({ rows: blocks * rows, tier: least.tier });
  }
  return { bytes, runs };
}

/** Equal blocks of `rows` neighbouring rows; `appearances` is a block's sum. A table's last block may be shorter. */
function* blocksOf(access: RowClasses, granularity: number) {
  let held = 0;
  let sum = new DoubleSum();
  for (let k = 0; k < access.rows.length; k++) {
    let left = access.rows[k] as number;
    const each = access.appearances[k] as number;
    while (left > 0) {
      const whole = held === 0 ? Math.floor(left / granularity) : 0;
      const taken = whole > 0 ? granularity : Math.min(granularity - held, left);
      sum.add(each, taken);
      held += taken;
      left -= Math.max(whole, 1) * taken;
      if (held < granularity) continue;
      yield { blocks: Math.max(whole, 1), rows: granularity, appearances: sum.total() };
      held = 0;
      sum = new DoubleSum();
    }
  }
  if (held > 0) yield { blocks: 1, rows: held, appearances: sum.total() };
}
