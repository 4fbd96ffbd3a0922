import { expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import type { TablePlacementPlan } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { showPlacement } from "../../../../src/problems/table-placement/show/plan.js";

const FILE = "instances/tiny/placement-migration.yaml";

test("a plan says of how many tables something moves; files of 0.5.0, which do not, verify", async () => {
  const written = (await planInstance(await loadInstance(FILE))) as TablePlacementPlan;
  const { migration, moves, ...rest } = written;
  expect(migration?.tables).toBe(moves?.moved.length);
  expect(migration?.tables).toBe(1);
  const verified = async (tables: object) => {
    const { tables: _, ...older } = migration as NonNullable<typeof migration>;
    const plan = { ...rest, moves, migration: { ...older, ...tables } };
    const text = writePlan({ ...plan, digest: planDigest(plan) } as never);
    const { passed, differences } = await verifyPlanText(text, "plan.json", loadInstance);
    return { passed, paths: differences.map(({ path }) => path) };
  };
  expect(await verified({ tables: 1 })).toEqual({ passed: true, paths: [] });
  expect(await verified({})).toEqual({ passed: true, paths: [] });
  expect(await verified({ tables: 2 })).toMatchObject({
    passed: false,
    paths: expect.arrayContaining(["migration.tables"]),
  });
  // A limit on moves says it by itself.
  expect(showPlacement(written)).not.toContain("tables moved");
  expect(showPlacement({ ...written, moves: null } as typeof written)).toMatch(/tables moved +1\n/);
});
