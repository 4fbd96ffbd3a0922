import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { onTestFinished } from "vitest";
import type { Assignment, Run } from "../../../src/instance/types/assignment.js";
import { type RowTiersInstance, type Table, TIERS, type Tier } from "../../../src/instance/types/row-tiers.js";
import type { ExportablePlan } from "../../../src/interop/exportable.js";
import { tinyInstance } from "../../support/tiny-instance.js";

/** Two nodes of two GPUs, with these tables and what else is said. */
export function instanceOf(
  tables: readonly (Partial<Table> & Pick<Table, "name" | "rows">)[],
  changes: Partial<RowTiersInstance> = {},
): RowTiersInstance {
  const { instance } = tinyInstance([], { tiers: [...TIERS], ...changes });
  return {
    ...instance,
    tables: tables.map((table) => ({
      dim: 4,
      dataType: "fp32",
      elementBytes: 4,
      access: { kind: "histogram", bins: [[table.rows, 1]] },
      ...table,
    })),
  };
}

/** A plan as it comes from a file; `runs` per table, as [rows, tier]. */
export function planOf(
  instance: RowTiersInstance,
  runs: readonly (readonly (readonly [number, Tier])[])[],
): ExportablePlan {
  const assignment: Assignment = runs.map((list) => list.map(([rows, tier]): Run => ({ rows, tier })));
  return { instance, assignment, method: "optimal", status: "feasible", digest: "0".repeat(64) };
}

const TIER = fc.constantFrom<Tier>(...TIERS);

/** Runs in any order of tiers, not only nested ones; the rows are their sum. */
export const randomRuns = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), TIER), { minLength: 1, maxLength: 8 });

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-interop-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ranks of row ids by falling values, equal ones by rising row id: the plain definition. */
export function ranksByValue(values: readonly number[]): number[] {
  const ids = values.map((_, id) => id).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  const ranks = new Array<number>(ids.length);
  ids.forEach((id, rank) => {
    ranks[id] = rank;
  });
  return ranks;
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
