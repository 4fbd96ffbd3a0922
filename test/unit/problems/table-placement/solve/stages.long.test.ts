import { describe, expect, test } from "vitest";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { planDigest } from "../../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../../src/plan-file/write-plan.js";
import { frontiersOf } from "../../../../../src/problems/planning/frontier.js";
import { loadInstance, parseInstance } from "../../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../../src/problems/planning/verify.js";
import { placementTrade } from "../../../../../src/problems/table-placement/frontier/trade.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import type { TablePlacementPlan } from "../../../../../src/problems/table-placement/plan-file/plan-file.js";
import { showPlacement } from "../../../../../src/problems/table-placement/show/plan.js";
import { showTrade } from "../../../../../src/problems/table-placement/show/trade.js";
import { planTablePlacement } from "../../../../../src/problems/table-placement/solve/plan.js";
import { expectRecomputed, hasPython, recompute } from "../../../../independent/recompute.js";

const FILE = "instances/tiny/placement-stages.yaml";

const verified = (plan: object) => verifyPlanText(writePlan(plan as TablePlacementPlan), "plan.json", loadInstance);

/** The plan with one stage changed, and a digest that says nothing of it. */
function forged(plan: TablePlacementPlan, stage: number, change: object): TablePlacementPlan {
  const { digest: _, ...rest } = plan;
  const stages = (plan.stages ?? []).map((one, k) => (k === stage ? { ...one, ...change } : one));
  return { ...rest, stages, digest: planDigest({ ...rest, stages }) };
}

describe("goals in order", () => {
  test("each has its own bound, what it allows and what binds it", async () => {
    const plan = await planTablePlacement(FILE, { gap: 0 });
    expect(plan.status).toBe("proved");
    expect(
      plan.stages?.map(({ minimize, best, bound, most, value, unit }) => [minimize, best, bound, most, value, unit]),
    ).toEqual([
      ["largest-cost", 5, 5, 6, 6, "ms"],
      ["largest-hbm", 70, 70, 70, 70, "B"],
      ["sum", 14, 14, 14, 14, "ms"],
    ]);
    expect(plan.stages?.map(({ floor }) => [floor?.kind, floor?.table])).toEqual([
      ["limits", null],
      ["shard", "giant"],
      ["total", null],
    ]);
    const shown = showPlacement(plan as never);
    expect(shown).toContain("one shard of table giant: none of its options has a smaller largest shard");
    expect(shown).toContain("no plan is better, among the plans that keep to what the goals before it allow");
    expect((await verified(plan)).passed).toBe(true);
  });

  test("a stage whose bound, placement, allowance or certificate is another is refused", async () => {
    const plan = await planTablePlacement(FILE, { gap: 0 });
    const stages = plan.stages ?? [];
    const exact = (k: number, change: object) => ({ exact: { ...stages[k]?.exact, ...change } });
    const changes: readonly (readonly [number, object])[] = [
      [1, { bound: 71, ...exact(1, { bound: "71" }) }],
      [0, { most: 7, ...exact(0, { most: "7" }) }],
      [0, { choices: null }],
      [1, { certificate: stages[2]?.certificate }],
      [2, { certificate: null }],
      [1, { floor: { ...stages[1]?.floor, table: "t" } }],
      [2, { allow: "5 %" }],
    ];
    for (const [stage, change] of changes) {
      const { passed } = await verified(forged(plan, stage, change));
      expect(passed, JSON.stringify(change).slice(0, 80)).toBe(false);
    }
  });

  test.skipIf(!hasPython)("are the same in Python, and a false bound differs (skipped without python3)", async () => {
    const plan = await planTablePlacement(FILE, { gap: 0 });
    expectRecomputed(FILE, plan);
    const [, second] = plan.stages ?? [];
    const above = forged(plan, 1, { exact: { ...second?.exact, bound: "70.5", best: "71" } });
    expect(recompute(FILE, above).differences).not.toEqual([]);
  });

  test("a published method's plan has their values, without bounds, and verifies", async () => {
    const plan = await planTablePlacement(FILE, { method: "size-greedy" });
    expect(plan).toMatchObject({ status: "heuristic", stages: [{ status: null }, { status: null }, { status: null }] });
    expect((await verified(plan)).passed).toBe(true);
  });

  test.each([
    ["thenMinimize: sum", "goals: [{minimize: sum}]", "expected goals once, received thenMinimize beside goals"],
    ["", "goals: [{minimize: sum}, {minimize: sum}]", "expected each goal once, received sum again"],
    ["", "goals: [{minimize: moved-tables}]", "expected the key from beside a goal of moves"],
    ["", "goals: [{minimize: phases}]", "expected a cost model that knows phases"],
    ["", "goals: [{minimize: sum, allow: a lot}]", "goals[0].allow"],
  ])("%s %s is refused", (more, goals, message) => {
    const text = [
      "shardproof: 1",
      "name: x",
      "problem: table-placement",
      "costModel: given",
      "cluster: {nodes: 1, gpusPerNode: 2}",
      goals,
      more,
      "tables: [{name: a, cost: 1, bytes: 1}]",
    ].join("\n");
    expect(() => parseInstance(text, "x.yaml")).toThrow(message);
  });
});

describe("one goal against another", () => {
  test("values and bounds fall, and all points are proved", async () => {
    const instance = requireInstance(tablePlacementReader, await loadInstance(FILE));
    const { points, isComplete, least } = await placementTrade(instance, { points: 4, gap: 0 });
    expect(isComplete).toBe(true);
    expect(least).toEqual({ value: 5, bound: 5 });
    expect(points.map(({ value, bound }) => [value, bound])).toEqual([
      [90, 90],
      [90, 90],
      [90, 90],
      [70, 70],
    ]);
    expect([points[0]?.most, points[3]?.most]).toEqual([5, 6]);
    for (const [k, { value }] of points.entries()) expect(value).toBeLessThanOrEqual(points[k - 1]?.value ?? Infinity);
  });

  test("where no plan is within the limits, the answer is that, with its proof", async () => {
    const tables = ["a", "b", "c"].map((name) => `  - {name: ${name}, cost: 1, bytes: 60}`);
    const goals = "goals: [{minimize: largest-cost, allow: 20 %}, {minimize: largest-hbm, allow: 0}]";
    const cluster = "cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 100}";
    const head = ["shardproof: 1", "name: x", "problem: table-placement", "costModel: given"];
    const text = [...head, cluster, goals, "tables:", ...tables].join("\n");
    const instance = requireInstance(tablePlacementReader, parseInstance(text, "x.yaml"));
    const trade = await placementTrade(instance, { points: 4 });
    expect(trade).toMatchObject({ isInfeasible: true, isComplete: true, points: [] });
    expect(trade.proofs.map(({ choices, certificate }) => [choices, certificate?.claim.kind])).toEqual([
      [null, "infeasible"],
    ]);
    expect(showTrade(trade)).toContain("infeasible: no plan is within the limits; checked in exact arithmetic");
    const { outcome } = await frontiersOf(instance);
    expect(outcome(trade as never)).toBe("infeasible");
  });

  test("a search that was given no work is no proof of anything", async () => {
    const instance = requireInstance(tablePlacementReader, await loadInstance(FILE));
    const trade = await placementTrade(instance, { points: 4, workSeconds: 0 });
    expect(trade).toMatchObject({ isInfeasible: false, isComplete: false, points: [] });
    expect(showTrade(trade)).toContain("not complete: no plan was found within the limits");
  });

  test("one goal alone is not traded", async () => {
    const instance = requireInstance(tablePlacementReader, await loadInstance("instances/tiny/placement-given.yaml"));
    await expect(placementTrade(instance)).rejects.toThrow("expected two goals or more");
  });
});
