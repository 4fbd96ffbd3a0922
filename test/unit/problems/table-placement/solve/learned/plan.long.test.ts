import { expect, test } from "vitest";
import { InputError } from "../../../../../../src/errors/input-error.js";
import { requireInstance } from "../../../../../../src/instance/reader.js";
import type { TablePlacementInstance } from "../../../../../../src/instance/types/table-placement.js";
import { planDigest } from "../../../../../../src/plan-file/canonical-json.js";
import { loadInstance } from "../../../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../../../src/problems/table-placement/instance/reader.js";
import type { TablePlacementPlan } from "../../../../../../src/problems/table-placement/plan-file/plan-file.js";
import { tablePlacementPlanSchema } from "../../../../../../src/problems/table-placement/plan-file/plan-file.js";
import { compareTablePlacement } from "../../../../../../src/problems/table-placement/solve/compare.js";
import { planTablePlacement } from "../../../../../../src/problems/table-placement/solve/plan.js";
import { verifyTablePlacementPlan } from "../../../../../../src/problems/table-placement/verify.js";
import { expectRecomputed } from "../../../../../independent/recompute.js";
import { readExpected } from "../../../../../support/expected.js";
import { drawNeural } from "../../../../models/neural-support.js";

/** The bound that the plan was proved to is this near to its cost. */
interface ExpectedPlan {
  readonly objective: number;
  readonly status: "proved";
  readonly gap: number;
}

async function load(file: string): Promise<TablePlacementInstance> {
  return requireInstance(tablePlacementReader, await loadInstance(file));
}

function verify(plan: object, instance: TablePlacementInstance) {
  return verifyTablePlacementPlan(tablePlacementPlanSchema.parse(JSON.parse(JSON.stringify(plan))), instance);
}

function withDigest({ digest: _, ...plan }: TablePlacementPlan): TablePlacementPlan {
  return { ...plan, digest: planDigest(plan) };
}

test.each(["learned-10x2", "learned-15x3", "learned-convex-40x4", "learned-convex-80x8"])(
  "%s: proved as expected, and verified",
  async (name) => {
    const file = `instances/costs/${name}.yaml`;
    const { objective, status, gap } = readExpected<ExpectedPlan>(file);
    const plan = await planTablePlacement(file, { gap });
    expectRecomputed(file, plan);
    expect(plan.status).toBe(status);
    expect(plan.objective.gap).toBeLessThanOrEqual(gap);
    expect(plan.objective.bound).toBeLessThanOrEqual(objective);
    // A better plan may come; one this bad not.
    expect(plan.objective.value).toBeLessThanOrEqual(objective * (1 + gap));
    const { passed, checks } = await verify(plan, await load(file));
    expect(checks.filter((check) => !check.passed)).toEqual([]);
    expect(passed).toBe(true);
  },
);

test("a plan above its ceiling, or without it, is refused", async () => {
  const task = await load("instances/costs/autoshard-0-learned.yaml");
  const cluster = { ...task.cluster, gpusPerNode: 4 };
  const instance = { ...task, cluster, tables: task.tables.slice(0, 30) };
  const plan = await planTablePlacement(instance, { gap: 0.01 });
  expect(plan.status).toBe("proved");
  expect((await verify(plan, instance)).passed).toBe(true);
  const { proof } = plan;
  if (proof?.ceiling === undefined) throw new Error("a ceiling was expected");
  const [numerator, denominator] = proof.ceiling.split("/").map(BigInt) as [bigint, bigint];
  for (const ceiling of [`${numerator - 1n}/${denominator}`, "200", undefined, "1/0", "x"]) {
    const { ceiling: _, ...rest } = proof;
    const changed = withDigest({ ...plan, proof: { ...rest, ...(ceiling === undefined ? {} : { ceiling }) } });
    const { passed, checks } = await verify(changed, instance);
    expect(passed).toBe(false);
    expect(checks.find((check) => !check.passed)?.name).toBe("certificate");
  }
});

test("compare has the optimum, and how far the others are above its bound", async () => {
  const rows = await compareTablePlacement("instances/costs/learned-10x2.yaml");
  const [optimal, ...others] = rows;
  expect(optimal).toMatchObject({ method: "optimal", status: "proved" });
  const gaps = others.flatMap(({ gap }) => gap ?? []);
  expect(gaps.length).toBeGreaterThan(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
});

test("memory that is too small is proved to be", async () => {
  const { instance } = drawNeural({ seed: 3, tables: [4, 4], devices: [2, 2], rooms: [0.9] });
  const plan = await planTablePlacement(instance);
  expect(plan).toMatchObject({ status: "infeasible", devices: null });
  expect(plan.infeasibility?.explanation).toMatch(/bytes/);
});

test("a second goal has no program under a learned cost", async () => {
  const { instance } = drawNeural({ seed: 3, tables: [4, 4], devices: [2, 2] });
  const plan = planTablePlacement({ ...instance, thenMinimize: "sum" });
  await expect(plan).rejects.toThrow(InputError);
  await expect(plan).rejects.toThrow(/thenMinimize/);
});

test("a search that is stopped at once has a heuristic's plan, and no bound", async () => {
  const plan = await planTablePlacement("instances/costs/learned-10x2.yaml", { shouldStop: () => true });
  expect(plan.status).toBe("unknown");
  expect(plan.certificate).toBeNull();
});
