import type { DataType } from "../instance/data-type.js";
import type { Assignment, Run } from "../instance/types/assignment.js";
import { type RowTiersInstance, type Table, TIERS, type Tier } from "../instance/types/row-tiers.js";

/** The part of a table that is in one tier: an embedding table of its own wherever the plan is carried out. */
export interface TierTable {
  /** The table's name and the tier's: `history_row_wise`. No two of an instance are alike. */
  readonly name: string;
  readonly table: string;
  readonly tier: Tier;
  readonly rows: number;
  /** Elements per row. */
  readonly dim: number;
  readonly dataType: DataType;
  /** Of all its rows: rows · dim · bytes per element. */
  readonly bytes: number;
}

/** Per table of the instance, one entry for each tier that holds rows of it, in the order of {@link TIERS}. */
export function tierTables(instance: RowTiersInstance, assignment: Assignment): readonly (readonly TierTable[])[] {
  return instance.tables.map((table, index) => tierTablesOf(table, assignment[index] as readonly Run[]));
}

function tierTablesOf({ name, dim, dataType, elementBytes }: Table, runs: readonly Run[]): readonly TierTable[] {
  return TIERS.flatMap((tier) => {
    const rows = runs.reduce((sum, run) => sum + (run.tier === tier ? run.rows : 0), 0);
    if (rows === 0) return [];
    return [{ name: `${name}_${tier}`, table: name, tier, rows, dim, dataType, bytes: rows * dim * elementBytes }];
  });
}
