import { InputError } from "../../errors/input-error.js";
import type { Assignment, Run } from "../../instance/types/assignment.js";
import type { RowTiersInstance, Tier } from "../../instance/types/row-tiers.js";
import type { ExportablePlan } from "../../interop/exportable.js";
import { type OpenInstance, planWithInstance, requirePlanned } from "../../plan-file/original-plan.js";
import { rowTiersReader } from "./instance/reader.js";
import { rowTiersPlanSchema } from "./plan-file/plan-file.js";

/**
 * Reads a plan file's text and its instance. `openInstance` gets the path that the plan has.
 *
 * That the plan belongs to the instance and that its runs hold every row once is checked; whether its values are right
 * is for `verify`. Throws `InputError` when the text is no row-tiers plan, was changed after it was written, says that
 * there is no plan (infeasible), was made for another instance, or when its runs do not fit the instance's tables.
 */
export async function readExportablePlan(
  text: string,
  file: string,
  openInstance: OpenInstance,
): Promise<ExportablePlan> {
  const { plan, instance } = await planWithInstance(rowTiersReader, rowTiersPlanSchema, { text, file, openInstance });
  requirePlanned(plan, file);
  const { method, status, digest } = plan;
  return { instance, assignment: assignmentIn(plan.tables, instance, file), method, status, digest };
}

interface WrittenTable {
  readonly name: string;
  readonly runs: readonly (readonly [rows: number, tier: string])[];
}

function assignmentIn(written: readonly WrittenTable[], { tables, tiers }: RowTiersInstance, file: string): Assignment {
  if (written.length !== tables.length) {
    throw new InputError(`expected the runs of ${tables.length} tables, received ${written.length}; plan again`, file);
  }
  return tables.map((table, index) => {
    const { name, runs } = written[index] as WrittenTable;
    const fail = (expected: string, received: string): never => {
      throw new InputError(`tables[${index}]: expected ${expected}, received ${received}; plan again`, file);
    };
    if (name !== table.name) fail(`the table "${table.name}"`, `"${name}"`);
    let rows = 0;
    for (const [count, tier] of runs) {
      if (!Number.isSafeInteger(count) || count < 1) fail("runs of at least one row", `one of ${count}`);
      if (!tiers.some((allowed) => allowed === tier)) fail(`tiers of ${tiers.join(", ")}`, tier);
      rows += count;
    }
    if (rows !== table.rows) fail(`runs that hold ${table.rows} rows`, `${rows}`);
    return runs.map(([count, tier]): Run => ({ rows: count, tier: tier as Tier }));
  });
}
