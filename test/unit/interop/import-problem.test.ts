import { describe, expect, test } from "vitest";
import { instanceText } from "../../../src/interop/instance-text.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { importTorchrecProblem } from "../../../src/problems/table-placement/import-problem.js";

const TABLE = { name: "t0", num_embeddings: 1000, embedding_dim: 64 };
const PROBLEM = { topology: { world_size: 4, local_world_size: 2 }, tables: [TABLE] };

function imported(problem: object, expand = false) {
  return importTorchrecProblem(JSON.stringify(problem), "folder/rm.json", { expand });
}

test("the instance has TorchRec's words, and the file's name where the problem has none", () => {
  expect(imported({ ...PROBLEM, batch_size: 64, id: null })).toEqual({
    shardproof: 1,
    name: "rm",
    problem: "table-placement",
    source: "a TorchRec problem, imported from folder/rm.json",
    costModel: "torchrec",
    torchrec: { topology: { world_size: 4, local_world_size: 2 }, batch_size: 64 },
    tables: [TABLE],
  });
  const named = imported({ ...PROBLEM, id: "rm2", note: "made by hand", optimum: { objective: 1 } });
  expect(named).toMatchObject({ name: "rm2", source: "made by hand" });
  expect(named.torchrec).toEqual({ topology: PROBLEM.topology });
  expect(importTorchrecProblem(JSON.stringify(PROBLEM), "-")).toMatchObject({
    name: "torchrec",
    source: "a TorchRec problem, imported from standard input",
  });
});

test("a missing topology has as many ranks as there are devices, on one host", () => {
  const devices = [{ hbm: 100 }, { hbm: 100, ddr: 200 }, { hbm: 100, ssd: null }];
  const { torchrec } = imported({ devices, tables: [TABLE] });
  expect(torchrec).toEqual({
    topology: { world_size: 3 },
    devices: [{ hbm: 100 }, { hbm: 100, ddr: 200 }, { hbm: 100 }],
  });
  expect(imported({ topology: { compute_device: "cpu" }, devices, tables: [TABLE] }).torchrec).toMatchObject({
    topology: { compute_device: "cpu", world_size: 3 },
  });
});

test("missing devices have TorchRec's defaults once the options are written out", () => {
  const GIB = 2 ** 30;
  expect(imported(PROBLEM, true).cluster).toEqual({
    nodes: 2,
    gpusPerNode: 2,
    hbmBytesPerGpu: 32 * GIB,
    hostBytesPerGpu: 128 * GIB,
  });
});

test("every sharding type and kernel is written out, equal neighbours as one run", () => {
  const [table] = imported({ ...PROBLEM, tables: [{ ...TABLE, num_embeddings: 5 }] }, true).tables;
  const options = table?.options ?? [];
  expect(new Set(options.map(({ shardingType }) => shardingType))).toEqual(
    new Set(["data_parallel", "table_wise", "column_wise", "table_column_wise", "row_wise", "table_row_wise"]),
  );
  expect(options).toHaveLength(16);
  // 5 rows on 4 ranks are 2, 2, 1, 0.
  const rowWise = options.find(({ shardingType, kernel }) => shardingType === "row_wise" && kernel === "fused");
  expect(rowWise?.shards.map(([count]) => count)).toEqual([2, 1, 1]);
});

test("a recorded problem is limited to the options that were recorded, tables with constraints of their own to those", () => {
  const option = (sharding_type: string, kernel: string) => ({
    sharding_type,
    kernel,
    partition_by: "",
    shards_rle: [],
  });
  const space = {
    t0: [option("table_wise", "fused"), option("table_wise", "fused_uvm")],
    t1: [option("table_wise", "fused")],
  };
  const tables = [TABLE, { ...TABLE, name: "t1", sharding_types: ["row_wise"] }, { ...TABLE, name: "t2" }];
  expect(imported({ ...PROBLEM, space, tables }).tables).toEqual([
    { ...TABLE, sharding_types: ["table_wise"], compute_kernels: ["fused", "fused_uvm"] },
    { ...TABLE, name: "t1", sharding_types: ["row_wise"], compute_kernels: ["fused"] },
    { ...TABLE, name: "t2" },
  ]);
  expect(() => imported({ ...PROBLEM, space: { t0: [{ sharding_type: 1 }] } })).toThrow(
    /^folder\/rm\.json:1:\d+: space\.t0\[0\]/,
  );
});

describe("rows and dim stand beside options whose shards they tell", () => {
  const known = (problem: object) => imported(problem, true).tables[0];

  test("they do by default, also where devices differ", () => {
    expect(known(PROBLEM)).toMatchObject({ rows: 1000, dim: 64, dataType: "fp32", poolingFactor: 1 });
    const devices = [{ hbm: 1e9 }, { hbm: 1e9 }, { hbm: 1e9 }, { hbm: 2e9 }];
    expect(known({ ...PROBLEM, devices })).toMatchObject({ rows: 1000, dim: 64 });
  });

  test.each<[string, object]>([
    ["rows cut between buckets", { ...PROBLEM, tables: [{ ...TABLE, total_num_buckets: 10 }] }],
    [
      "rows cut by capacities of their own",
      { topology: { ...PROBLEM.topology, hbm_cap: [1, 1, 1, 5] }, uneven_row_wise: true, tables: [TABLE] },
    ],
    ["devices that are no GPUs", { topology: { ...PROBLEM.topology, compute_device: "cpu" }, tables: [TABLE] }],
    ["hosts in one NVLink domain", { topology: { ...PROBLEM.topology, pod_size: 2 }, tables: [TABLE] }],
  ])("they do not: %s", (_what, problem) => {
    expect(known(problem)).not.toHaveProperty("rows");
  });

  test("columns narrower than the default are told from the number of shards", () => {
    expect(known({ ...PROBLEM, tables: [{ ...TABLE, min_partition: 16 }] })).toMatchObject({ rows: 1000, dim: 64 });
  });
});

test("both forms of the file are read as the same instance", () => {
  const file = imported(
    { ...PROBLEM, tables: [{ ...TABLE, pooling_factors: [0.1 + 0.2, 1e-7, 123456789.123] }] },
    true,
  );
  const [yaml, json] = (["yaml", "json"] as const).map((format) => parseInstance(instanceText(file, format), "i"));
  expect({ ...yaml, sha256: "" }).toEqual({ ...json, sha256: "" });
});

test.each<[string, object | string, RegExp]>([
  [
    "a misspelt key",
    { ...PROBLEM, tables: [{ ...TABLE, embeding_dim: 4 }] },
    /^folder\/rm\.json:1:\d+: tables\[0\]\.embeding_dim: unknown key; did you mean embedding_dim\?/,
  ],
  [
    "a misspelt key of the problem",
    { ...PROBLEM, batchsize: 4 },
    /: batchsize: unknown key; did you mean batch_size\?/,
  ],
  ["no tables", { topology: PROBLEM.topology }, /: tables: expected .*; add the key tables/],
  ["no ranks", { tables: [TABLE] }, /: topology: expected .*; add the key topology/],
  ["devices that are too few", { ...PROBLEM, devices: [{ hbm: 1 }] }, /: devices: expected 4 entries/],
  [
    "a type that there is not",
    { ...PROBLEM, tables: [{ ...TABLE, dtype: "FP31" }] },
    /tables\[0\]\.dtype: expected one of FP32/,
  ],
  [
    "two tables of a name",
    { ...PROBLEM, tables: [TABLE, TABLE] },
    /tables\[1\]\.name: expected a name that no other table has/,
  ],
  ["a list", "[]", /rm\.json:1:1: expected a map/],
  ["broken text", "{", /rm\.json:\d+:\d+: this is not YAML/],
  ["a key given twice", '{"topology": {"world_size": 1, "world_size": 2}}', /rm\.json:1:\d+: .*unique/],
])("refused: %s", (_what, problem, message) => {
  const text = typeof problem === "string" ? problem : JSON.stringify(problem);
  expect(() => importTorchrecProblem(text, "folder/rm.json")).toThrow(message);
});
