import { type RowTiersInstance, TIERS, type Tier } from "../../src/instance/instance.js";
import type { Assignment, Run } from "../../src/plan/row-tiers-assignment.js";
import type { TierSet } from "./tier-set.js";
import type { UnitClass } from "./unit-classes.js";

export type { Assignment, Run };

/** Units of each class in each tier of a {@link TierSet}: `counts[class * tiers.length + tier]`. */
export type UnitCounts = Float64Array;

/**
 * Runs from unit counts. Units of a class are interchangeable, so each class fills its members in order with the tiers
 * in the order data_parallel, flex, row_wise, column_wise.
 */
export function assignmentOf(
  instance: RowTiersInstance,
  classes: readonly UnitClass[],
  { tiers }: TierSet,
  counts: UnitCounts,
): Assignment {
  const pieces: { firstRow: number; rows: number; tier: Tier }[][] = instance.tables.map(() => []);
  const order = tiers
    .map((tier, index) => ({ tier, index }))
    .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
  classes.forEach((unitClass, i) => {
    let current = 0;
    let left = order.map(({ index }) => counts[i * tiers.length + index] as number);
    for (const member of unitClass.members) {
      let firstRow = member.firstRow;
      let units = member.units;
      while (units > 0) {
        while (left[current] === 0) current++;
        const taken = Math.min(units, left[current] as number);
        const rows = taken * unitClass.rowsPerUnit;
        (pieces[member.table] as (typeof pieces)[number]).push({
          firstRow,
          rows,
          tier: (order[current] as (typeof order)[number]).tier,
        });
        firstRow += rows;
        units -= taken;
        left = left.with(current, (left[current] as number) - taken);
      }
    }
  });
  return pieces.map((list) => {
    list.sort((a, b) => a.firstRow - b.firstRow);
    const runs: Run[] = [];
    for (const { rows, tier } of list) {
      const last = runs.at(-1);
      if (last?.tier === tier) runs[runs.length - 1] = { rows: last.rows + rows, tier };
      else runs.push({ rows, tier });
    }
    return runs;
  });
}

/** An assignment that does not fit its instance; the message says where. */
export class AssignmentError extends Error {
  override readonly name = "AssignmentError";
}

/**
 * Unit counts from runs: the inverse of {@link assignmentOf} up to the exchange of equal units. Throws
 * {@link AssignmentError} when a table's runs do not add up to its rows, use a tier that is not allowed, or cut a unit.
 */
export function countsOf(
  instance: RowTiersInstance,
  classes: readonly UnitClass[],
  tierSet: TierSet,
  assignment: Assignment,
): UnitCounts {
  const { tiers, positions } = tierSet;
  const counts = new Float64Array(classes.length * tiers.length);
  const byTable: { firstRow: number; units: number; index: number }[][] = instance.tables.map(() => []);
  classes.forEach(({ members }, index) => {
    for (const { table, firstRow, units } of members) byTable[table]?.push({ firstRow, units, index });
  });
  if (assignment.length !== instance.tables.length) {
    throw new AssignmentError(
      `runs for ${instance.tables.length} tables were expected, ${assignment.length} are there`,
    );
  }
  instance.tables.forEach((table, t) => {
    const members = (byTable[t] as (typeof byTable)[number]).sort((a, b) => a.firstRow - b.firstRow);
    const runs = assignment[t] as readonly Run[];
    let run = 0;
    let left = runs[0]?.rows ?? 0;
    for (const { units, index } of members) {
      const { rowsPerUnit } = classes[index] as UnitClass;
      let missing = units;
      while (missing > 0) {
        while (left === 0 && run < runs.length) {
          run++;
          left = runs[run]?.rows ?? 0;
        }
        const { tier } = runs[run] ?? {};
        if (tier === undefined)
          throw new AssignmentError(`table "${table.name}": the runs hold fewer than its ${table.rows} rows`);
        const position = positions.get(tier);
        if (position === undefined)
          throw new AssignmentError(`table "${table.name}": the tier ${tier} is not allowed by the instance`);
        const taken = Math.min(missing, Math.floor(left / rowsPerUnit));
        if (taken === 0)
          throw new AssignmentError(`table "${table.name}": a run ends inside a block of ${rowsPerUnit} rows`);
        const at = index * tiers.length + position;
        counts[at] = (counts[at] as number) + taken;
        missing -= taken;
        left -= taken * rowsPerUnit;
      }
    }
    if (left > 0 || run < runs.length - 1) {
      throw new AssignmentError(`table "${table.name}": the runs hold more than its ${table.rows} rows`);
    }
  });
  return counts;
}
