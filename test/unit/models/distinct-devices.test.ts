import { expect, test } from "vitest";
import { repeatedDevice } from "../../../models/table-placement/constraints.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { placementModel, placementProblem } from "../../../models/table-placement/from-instance.js";
import { withMoreDevices } from "../../../models/table-placement/what-if.js";
import { parseWith } from "../../../src/instance/parse.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";

const read = (value: object) =>
  parseWith(
    [tablePlacementReader],
    JSON.stringify({ shardproof: 1, name: "apart", problem: "table-placement", ...value }),
    "apart.yaml",
  );

/** Two shards of each column option, which would be cheapest side by side. */
const listed = (more: object, whole = {}) => {
  const shards = [[2, { cost: 2, hbmBytes: 1 }]];
  const wide = { shardingType: "column_wise", kernel: "key_value", partitionBy: "device", shards, ...more };
  const big = { shardingType: "table_wise", partitionBy: "device", shards: [[1, { cost: 4, hbmBytes: 1 }]] };
  return {
    costModel: "options",
    cluster: { nodes: 1, gpusPerNode: 2 },
    tables: [
      { name: "wide", options: [wide], ...whole },
      { name: "big", options: [big] },
    ],
  };
};

test("a placement says where devices and shards of a table are not as many", () => {
  const problem = placementProblem(read(listed({})));
  const whole = { option: 0, devices: [0] };
  expect(() => evaluatePlacement(problem, { choices: [whole, whole] })).toThrow(
    "table wide has 2 shards, and devices for 1",
  );
});

test("at most one shard on a device: said of an option or of a table, it is in the value, the bound and the plan", async () => {
  expect((await planTablePlacement(read(listed({})))).objective).toMatchObject({ value: 4, bound: 4 });
  for (const given of [listed({ distinctDevices: true }), listed({}, { distinctDevices: true })]) {
    const plan = await planTablePlacement(read(given));
    expect(plan.objective).toMatchObject({ value: 6, bound: 6 });
    expect(plan.status).toBe("proved");
    expect(new Set(plan.choices?.wide?.ranks).size).toBe(2);
    for (const { method, value } of plan.baseline) if (value !== null) expect([method, value]).toEqual([method, 6]);
  }
});

test("more shards than devices have no place, and of several kinds one is on a device", async () => {
  const three = listed({ distinctDevices: true, shards: [[3, { cost: 1, hbmBytes: 1 }]] });
  expect(() => read(three)).toThrow("distinctDevices: at most as many as devices");
  const kinds = [
    [1, { cost: 3, hbmBytes: 1 }],
    [1, { cost: 1, hbmBytes: 1 }],
  ];
  expect((await planTablePlacement(read(listed({ shards: kinds })))).objective).toMatchObject({ value: 4 });
  const apart = await planTablePlacement(read(listed({ shards: kinds, distinctDevices: true })));
  expect(apart.objective).toMatchObject({ value: 5, bound: 5 });
});

test("shards of as many devices as there may be are looked at once each", () => {
  const devices = Array.from({ length: 65536 }, (_, device) => device);
  const before = process.cpuUsage();
  expect(repeatedDevice(devices)).toBe(undefined);
  expect(repeatedDevice([...devices, 65535])).toBe(65535);
  const { user, system } = process.cpuUsage(before);
  // Each beside all before it takes some seconds.
  expect((user + system) / 1e6).toBeLessThan(1);
});

test("with more devices options that had no place may have one: nothing is said of what a device is worth", async () => {
  const three = {
    shardingType: "column_wise",
    partitionBy: "device",
    shards: [[3, { cost: 1 }]],
    distinctDevices: true,
  };
  const whole = { shardingType: "table_wise", partitionBy: "device", shards: [[1, { cost: 10 }]] };
  const instance = read({
    costModel: "options",
    cluster: { nodes: 1, gpusPerNode: 2 },
    tables: [{ name: "t", options: [three, whole] }],
  });
  const plan = await planTablePlacement(instance);
  expect(plan.objective.value).toBe(10);
  expect(withMoreDevices(instance, placementModel(instance)).reason).toContain("no place on its devices");
});

test("tables cut by columns under a formula, and given ones, may say so; under a network nobody", async () => {
  const tables = [{ name: "t", rows: 1000, dim: 64, distinctDevices: true }];
  const cluster = { nodes: 1, gpusPerNode: 2 };
  const formula = { costModel: "size", cluster, splits: { columns: true, maxShardsPerTable: 2 }, tables };
  expect(new Set((await planTablePlacement(read(formula))).choices?.t?.ranks).size).toBe(2);
  expect(placementProblem(read(formula)).tables[0]?.options.map((own) => own.distinctDevices)).toEqual([true, true]);
  const given = { costModel: "given", cluster, tables: [{ name: "t", cost: 1, bytes: 1, distinctDevices: true }] };
  expect((await planTablePlacement(read(given))).objective.value).toBe(1);
  const features = { poolingFactor: 1, accessBins: new Array(17).fill(0) };
  const learned = { costModel: { neural: "none.json" }, cluster, tables: [{ ...tables[0], ...features }] };
  expect(() => read(learned)).toThrow("expected a cost model that adds up beside distinctDevices");
});

test("what does not fit by adding up is infeasible by one row, before any search", async () => {
  const tables = Array.from({ length: 30 }, (_, t) => ({ name: `t${t}`, cost: 1 + (t % 7), bytes: 100 + t }));
  const cluster = { nodes: 1, gpusPerNode: 4, hbmBytesPerGpu: 800 };
  const { status, certificate, infeasibility } = await planTablePlacement(
    read({ costModel: "given", cluster, tables }),
    { timeLimitSeconds: 2 },
  );
  expect([status, infeasibility?.kind]).toEqual(["infeasible", "total"]);
  expect(certificate?.steps).toEqual([{ infeasible: { hbm: "-1" } }]);
});
