import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import type { TablePlacementPlan } from "../../src/problems/table-placement/plan-file/plan-file.js";

// A column that counts at most one shard on a device was taken for a home with two there: the program let the table stay with one of them
// elsewhere, and what moves too much had no proof.
test("a table whose shards shared a device has to move where each is to have its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-home-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const instance = (name: string, more: object, from: object = {}) => {
    const need = { cost: 2, hbmBytes: 1 };
    const wide = { shardingType: "column_wise", partitionBy: "device", shards: [[2, need]], ...more };
    const big = { shardingType: "table_wise", partitionBy: "device", shards: [[1, { cost: 4, hbmBytes: 1 }]] };
    const tables = [
      { name: "wide", options: [wide] },
      { name: "big", options: [big] },
    ];
    const cluster = { nodes: 1, gpusPerNode: 2 };
    const value = { shardproof: 1, name: "home", problem: "table-placement", costModel: "options", cluster, tables };
    return write(name, JSON.stringify({ ...value, ...from }));
  };
  const planned = async (file: string) => (await planInstance(await loadInstance(file))) as TablePlacementPlan;
  const old = instance("old.json", {});
  const plan = write("plan.json", writePlan(await planned(old)));
  const moving = (name: string, mostMoved: number) =>
    planned(instance(name, { distinctDevices: true }, { from: { plan, instance: old, mostMoved } }));
  expect((await moving("none.json", 0)).status).toBe("infeasible");
  expect((await moving("one.json", 1)).objective).toMatchObject({ value: 6, bound: 6 });
});
