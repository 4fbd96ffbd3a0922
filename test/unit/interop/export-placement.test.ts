import { expect, test } from "vitest";
import { readDocument } from "../../../src/instance/document.js";
import { shardingNotes, shardingPlan } from "../../../src/interop/torchrec/export-placement.js";
import { givenPlacement } from "../../../src/interop/torchrec/given-placement.js";
import { scorePlacement } from "../../../src/problems/table-placement/score.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { openPlacement, openTorchrec, placedPlan } from "./sharding-plan-support.js";

const TOPOLOGY = { world_size: 4, local_world_size: 2 };
const TABLE = { name: "t", num_embeddings: 10, embedding_dim: 256 };

const TYPES = [
  "data_parallel",
  "table_wise",
  "column_wise",
  "table_column_wise",
  "row_wise",
  "table_row_wise",
  "grid_shard",
] as const;

/** Two tables that may be sharded in one way only, and one in any way. */
function problemWith(shardingType: string) {
  const constraint = { sharding_types: [shardingType] };
  return {
    topology: TOPOLOGY,
    tables: [
      { ...TABLE, name: "a", num_embeddings: 1001, pooling_factors: [20], ...constraint },
      { ...TABLE, name: "b", embedding_dim: 128, pooling_factors: [5], min_partition: 64, ...constraint },
      { ...TABLE, name: "c", num_embeddings: 70000 },
    ],
  };
}

const outAndBack = TYPES.flatMap((shardingType) => [false, true].map((expand) => ({ shardingType, expand })));

test.each(outAndBack)("$shardingType goes out and comes back the same, options written out: $expand", async (one) => {
  const { shardingType, expand } = one;
  const opened = openTorchrec(problemWith(shardingType), expand);
  const plan = await planTablePlacement(opened.instance, { gap: 0.5, timeLimitSeconds: 5 });
  const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  const written = shardingPlan({ ...opened, placement, method: plan.method, status: plan.status }, "sparse.ebc");
  expect(written.plan["sparse.ebc"]?.a?.sharding_type).toBe(shardingType);
  const document = readDocument(JSON.stringify(written), "plan.json");
  const again = givenPlacement(document, opened.instance, opened.problem);
  expect(again).toEqual(placement);
  const { score } = scorePlacement({ file: "plan.json", ...opened, placement: again }, plan);
  expect(score).toMatchObject({ status: "plan", violations: [], objective: { value: plan.objective.value } });
});

test.each<[string, readonly number[], readonly unknown[] | null]>([
  ["data_parallel", [0, 1, 2, 3], null],
  ["table_wise", [3], [[[0, 0], [10, 256], "rank:3/cuda:1"]]],
  [
    "column_wise",
    [3, 0],
    [
      [[0, 0], [10, 128], "rank:3/cuda:1"],
      [[0, 128], [10, 128], "rank:0/cuda:0"],
    ],
  ],
  [
    "row_wise",
    [0, 1, 2, 3],
    [
      [[0, 0], [3, 256], "rank:0/cuda:0"],
      [[3, 0], [3, 256], "rank:1/cuda:1"],
      [[6, 0], [3, 256], "rank:2/cuda:0"],
      [[9, 0], [1, 256], "rank:3/cuda:1"],
    ],
  ],
  [
    "table_row_wise",
    [2, 3],
    [
      [[0, 0], [5, 256], "rank:2/cuda:0"],
      [[5, 0], [5, 256], "rank:3/cuda:1"],
    ],
  ],
  [
    "grid_shard",
    [2, 3, 0, 1],
    [
      [[0, 0], [5, 128], "rank:2/cuda:0"],
      [[5, 0], [5, 128], "rank:3/cuda:1"],
      [[0, 128], [5, 128], "rank:0/cuda:0"],
      [[5, 128], [5, 128], "rank:1/cuda:1"],
    ],
  ],
])("%s shards have TorchRec's sizes, offsets and placements", (shardingType, ranks, shards) => {
  const opened = openTorchrec({ topology: TOPOLOGY, tables: [{ ...TABLE, sharding_types: [shardingType] }] });
  const kernel = shardingType === "data_parallel" ? "dense" : "fused_uvm";
  expect(shardingPlan(placedPlan(opened, { t: [shardingType, kernel, ranks] }))).toEqual({
    plan: {
      "": {
        t: {
          sharding_type: shardingType,
          compute_kernel: kernel,
          ranks,
          shards:
            (shards as [number[], number[], string][] | null)?.map(([shard_offsets, shard_sizes, placement]) => ({
              shard_offsets,
              shard_sizes,
              placement,
            })) ?? null,
        },
      },
    },
  });
});

test.each([
  ["cpu", { ...TOPOLOGY, compute_device: "cpu" }, "rank:3/cpu"],
  ["mtia", { ...TOPOLOGY, compute_device: "mtia" }, "rank:3/mtia:1"],
  ["hosts in one NVLink domain", { ...TOPOLOGY, pod_size: 2 }, "rank:3/cuda:1"],
])("the device of a rank: %s", (_what, topology, placement) => {
  const opened = openTorchrec({ topology, tables: [{ ...TABLE, sharding_types: ["table_wise"] }] });
  const { plan } = shardingPlan(placedPlan(opened, { t: ["table_wise", "fused", [3]] }));
  expect(plan[""]?.t?.shards?.[0]?.placement).toBe(placement);
});

test("names with dots are those of modules", () => {
  const names = ["sparse.ebc.t", "t", "constructor.t", "sparse.ebc.u"];
  const opened = openTorchrec({ topology: TOPOLOGY, tables: names.map((name) => ({ ...TABLE, name })) });
  const plan = placedPlan(opened, Object.fromEntries(names.map((name) => [name, ["table_wise", "fused", [0]]])));
  const tablesOf = (written: ReturnType<typeof shardingPlan>) =>
    Object.entries(written.plan).map(([module, tables]) => [module, Object.keys(tables)]);
  expect(tablesOf(shardingPlan(plan))).toEqual([
    ["sparse.ebc", ["t", "u"]],
    ["", ["t"]],
    ["constructor", ["t"]],
  ]);
  expect(tablesOf(shardingPlan(plan, "model"))).toEqual([
    ["model.sparse.ebc", ["t", "u"]],
    ["model", ["t"]],
    ["model.constructor", ["t"]],
  ]);
  const document = readDocument(JSON.stringify(shardingPlan(plan, "model")), "plan.json");
  expect(givenPlacement(document, plan.instance, plan.problem)).toEqual(plan.placement);
});

const LISTED = {
  shardproof: 1,
  name: "listed",
  problem: "table-placement",
  costModel: "options",
  cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 1000 },
};

function listed(shardingType: string, shards: number, table: object) {
  const options = [{ shardingType, partitionBy: "device", shards: [[shards, { cost: 1 }]] }];
  const opened = openPlacement({ ...LISTED, tables: [{ name: "t", ...table, options }] });
  return placedPlan(opened, { t: [shardingType, "fused", new Array(shards).fill(0)] });
}

test("an instance that lists its options needs rows and dim, and shards as TorchRec makes them", () => {
  const table = { rows: 10, dim: 24 };
  expect(shardingPlan(listed("column_wise", 3, table)).plan[""]?.t?.shards).toMatchObject([
    { shard_offsets: [0, 0], shard_sizes: [10, 8] },
    { shard_offsets: [0, 8], shard_sizes: [10, 8] },
    { shard_offsets: [0, 16], shard_sizes: [10, 8] },
  ]);
  expect(() => shardingPlan(listed("table_wise", 1, {}))).toThrow(
    /^instance\.json: table t: expected a table with rows and dim, .*; add its keys rows and dim to the instance/,
  );
  expect(() => shardingPlan(listed("column_wise", 4, table))).toThrow(
    /table t: expected 3 column_wise shards, as TorchRec cuts 10 rows of 24 columns, received 4/,
  );
  expect(() => shardingPlan(listed("row_wise", 1, table))).toThrow(/expected 2 row_wise shards, .*, received 1/);
  expect(() => shardingPlan(listed("diagonal", 1, table))).toThrow(
    /expected a sharding type of TorchRec, received diagonal/,
  );
});

test("what the runtime is told stands beside the shards; what all tables share where a table has none of its own", () => {
  const problem = {
    topology: TOPOLOGY,
    fused_params: { cache_load_factor: 0.4, prefetch_pipeline: true },
    tables: [
      { ...TABLE, name: "a" },
      {
        ...{ ...TABLE, name: "b", sharding_types: ["table_wise"], compute_kernels: ["fused_uvm_caching"] },
        ...{ cache_load_factor: 0.1, cache_algorithm: "LFU", output_dtype: "FP16", enforce_hbm: false },
        ...{ stochastic_rounding: true, bounds_check_mode: "WARNING", key_value_params: { l2_cache_size: 3 } },
      },
    ],
  };
  const opened = openTorchrec(problem, false);
  const placement = { choices: [0, 1].map(() => ({ option: 0, devices: [1] })) };
  const dataParallel = { option: 0, devices: [0, 1, 2, 3] };
  const given = { ...opened, placement: { choices: [dataParallel, placement.choices[1] as typeof dataParallel] } };
  const written = shardingPlan({ ...given, method: "optimal", status: "proved" });
  expect(written.plan[""]).toMatchObject({
    a: { cache_params: { load_factor: 0.4, prefetch_pipeline: true } },
    b: {
      cache_params: { load_factor: 0.1, prefetch_pipeline: true, algorithm: "LFU" },
      ...{ output_dtype: "FP16", enforce_hbm: false, stochastic_rounding: true, bounds_check_mode: "WARNING" },
      key_value_params: { l2_cache_size: 3 },
    },
  });
  const text = JSON.stringify(written);
  expect(givenPlacement(readDocument(text, "plan.json"), opened.instance, opened.problem)).toEqual(given.placement);
  const other = text.replace('"load_factor":0.1', '"load_factor":0.2');
  expect(() => givenPlacement(readDocument(other, "plan.json"), opened.instance, opened.problem)).toThrow(
    /cache_params\.load_factor: expected 0\.1, as the instance has it, received 0\.2/,
  );
});

test("rows that are cut unevenly are said to be none for training", () => {
  const devices = [1e9, 1e9, 1e9, 2e9].map((hbm) => ({ hbm }));
  const problem = { topology: TOPOLOGY, devices, tables: [{ ...TABLE, sharding_types: ["row_wise"] }] };
  const notesOf = (more: object) => {
    const opened = openTorchrec({ ...problem, ...more }, false);
    const placement = { choices: [{ option: 0, devices: [0, 1, 2, 3] }] };
    return shardingNotes({ ...opened, placement, method: "optimal", status: "proved" });
  };
  expect(notesOf({ uneven_row_wise: true })).toEqual([
    expect.stringContaining("t: its row_wise shards are cut by the memory"),
  ]);
  expect(notesOf({ is_inference: true })).toEqual([]);
  expect(notesOf({ devices: devices.map(() => ({ hbm: 1e9 })) })).toEqual([]);
});
