import { expect, test } from "vitest";
import { parseWith } from "../../src/instance/parse.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";

/*
 * With a limit on moves that all tables are within, the plan was proved on the program without it and verified on one with it, and so
 * refused.
 */

const TEXT = `
shardproof: 1
name: free-moves
problem: table-placement
costModel: options
cluster: {nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 100}
tables:
  - {name: a, options: [{shardingType: table_wise, partitionBy: device, shards: [[1, {cost: 3}]]}]}
  - {name: b, options: [{shardingType: table_wise, partitionBy: device, shards: [[1, {cost: 2}]]}, {shardingType: column_wise, partitionBy: device, shards: [[2, {cost: 1}]]}]}
`;

test.each([1, 2])("at most %d of two tables moves: the plan is verified", async (mostMoved) => {
  const home = { shardingType: "table_wise", kernel: "fused", ranks: [0] };
  const choices = new Map(["a", "b"].map((name) => [name, home]));
  const from = { choices, mostMoved, ranks: [0, 1], goneHosts: [], instance: null, optimizer: null };
  const instance: TablePlacementInstance = { ...parseWith([tablePlacementReader], TEXT, "moves.yaml"), from };
  const plan = await planTablePlacement(instance, { gap: 0 });
  expect(plan.status).toBe("proved");
  const { checks, passed } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
  expect(passed).toBe(true);
});
