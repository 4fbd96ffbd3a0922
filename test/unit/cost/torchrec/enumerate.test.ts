import { describe, expect, test } from "vitest";
import { enumerateOptions, estimateOption } from "../../../../src/cost/torchrec/enumerate.js";
import { readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { shardRuns } from "../../../../src/cost/torchrec/shard-runs.js";

const TABLE = { name: "t", num_embeddings: 1000, embedding_dim: 256 };

describe("options of one table", () => {
  test.each([
    ["pooled, on a GPU", {}, {}, 16],
    ["pooled, on a GPU, with grid_shard named", {}, { sharding_types: ["grid_shard", "row_wise"] }, 6],
    ["sequence, on a GPU", {}, { is_pooled: false }, 10],
    ["quantised, on a GPU", {}, { sharder: "quant_embedding_bag_collection" }, 9],
    ["pooled, on the CPU", { compute_device: "cpu" }, {}, 4],
    ["an empty list of types", {}, { sharding_types: [] }, 16],
    // Counts of TorchRec's own enumerator: types × kernels.
    ["pooled, on MTIA", { compute_device: "mtia" }, {}, 5],
    ["pooled, on MTIA, with grid_shard named", { compute_device: "mtia" }, { sharding_types: ["grid_shard"] }, 1],
    ["feature-processed", {}, { sharder: "feature_processed_embedding_bag_collection" }, 10],
    [
      "feature-processed, with rows named",
      {},
      { sharder: "feature_processed_embedding_bag_collection", sharding_types: ["row_wise", "table_row_wise"] },
      6,
    ],
    ["key-value kernels named", {}, { compute_kernels: ["key_value", "dram_virtual_table"] }, 10],
  ])("%s", (_name, topology, table, expected) => {
    expect(options(topology, table)).toHaveLength(expected);
  });

  test("come in the sharder's order, whatever the order of the constraints", () => {
    const table = { sharding_types: ["row_wise", "table_wise"], compute_kernels: ["fused_uvm", "fused"] };
    expect(options({}, table).map(({ shardingType, kernel }) => `${shardingType} ${kernel}`)).toEqual([
      "table_wise fused",
      "table_wise fused_uvm",
      "row_wise fused",
      "row_wise fused_uvm",
    ]);
  });

  test("need an SSD for key_value", () => {
    const problem = readTorchrecProblem({
      topology: { world_size: 1 },
      devices: [{ hbm: 1e9, ssd: 0 }],
      tables: [{ ...TABLE, sharding_types: ["table_wise"], compute_kernels: ["key_value", "fused"] }],
    });
    expect(enumerateOptions(problem)[0]?.map(({ kernel }) => kernel)).toEqual(["fused"]);
  });

  test("have no fused_triton: no sharder offers it", () => {
    expect(() => options({}, { sharding_types: ["table_wise"], compute_kernels: ["fused_triton"] })).toThrow(
      "received table_wise with fused_triton",
    );
  });

  test("weigh FP32 4 bytes and all else 2, unless the collection is quantised or element_size says otherwise", () => {
    const hbmOf = (table: object) => options({}, { ...table, sharding_types: ["table_wise"] })[0]?.shards[0]?.hbmBytes;
    const half = hbmOf({ dtype: "FP16" }) as number;
    for (const dtype of ["BF16", "INT8", "INT4", "NFP8"]) expect(hbmOf({ dtype })).toBe(half);
    expect(hbmOf({ dtype: "FP32" })).toBeGreaterThan(half);
    expect(hbmOf({ dtype: "INT8", element_size: 1 })).toBeLessThan(half);
    const quantised = { sharder: "quant_embedding_bag_collection", compute_kernels: ["quant"] };
    expect(hbmOf({ ...quantised, dtype: "INT8" })).toBeLessThan(hbmOf({ ...quantised, dtype: "FP16" }) as number);
  });

  test("do not count the weights of processed features", () => {
    const costOf = (table: object) => options({}, { ...table, sharding_types: ["table_wise"] })[0]?.shards[0]?.cost;
    const sharder = "feature_processed_embedding_bag_collection";
    expect(costOf({ sharder, is_weighted: true, has_feature_processor: true })).toBe(costOf({ sharder }));
    expect(costOf({ is_weighted: true })).toBeGreaterThan(costOf({}) as number);
  });

  test("are without row_wise where training cannot carry it out: rows cut by the memory of unlike devices", () => {
    const devices = [{ hbm: 1e9 }, { hbm: 2e9 }];
    const typesOf = (more: object) =>
      new Set(
        enumerateOptions(
          readTorchrecProblem({ topology: { world_size: 2 }, devices, tables: [TABLE], ...more }),
        )[0]?.map(({ shardingType }) => shardingType),
      );
    expect(typesOf({})).not.toContain("row_wise");
    expect(typesOf({})).toContain("table_row_wise");
    for (const more of [{ uneven_row_wise: true }, { is_inference: true }, { devices: [devices[0], devices[0]] }]) {
      expect(typesOf(more)).toContain("row_wise");
    }
    const only = [{ ...TABLE, sharding_types: ["row_wise"] }];
    expect(() => typesOf({ tables: only })).toThrow("or say uneven_row_wise: true");
  });

  test("may be none: then the table is named", () => {
    expect(() => options({}, { sharding_types: ["data_parallel"], compute_kernels: ["fused"] })).toThrow(
      "table t: expected sharding_types and compute_kernels that allow a way to shard it on cuda, received data_parallel with fused; allow more of them",
    );
  });
});

test("a kernel without a bandwidth is refused by name", () => {
  const problem = readTorchrecProblem({ topology: { world_size: 1, compute_device: "mtia" }, tables: [TABLE] });
  const [table] = problem.tables;
  expect(() => table && estimateOption(problem, table, "table_wise", "fused_uvm")).toThrow(
    "expected a kernel that TorchRec knows the bandwidth of on mtia (dense, fused or quant), received fused_uvm",
  );
});

test("constants can be overridden", () => {
  const forward = (constants: object) => {
    const problem = readTorchrecProblem({
      topology: { world_size: 1 },
      tables: [{ ...TABLE, embedding_dim: 64, sharding_types: ["table_wise"], compute_kernels: ["fused"] }],
      constants,
    });
    return enumerateOptions(problem)[0]?.[0]?.shards[0]?.perf.forwardCompute as number;
  };
  // The half-block penalty is 1.15 by default.
  expect(forward({ HALF_BLOCK_PENALTY: 2.3 }) / forward({})).toBeCloseTo(2, 12);
});

test("equal neighbours are one run: ten rows over four ranks are 3, 3, 3 and 1", () => {
  const table = { num_embeddings: 10, sharding_types: ["row_wise"], compute_kernels: ["fused"] };
  const [option] = options({}, table);
  if (!option) throw new Error("no option");
  const runs = shardRuns(option);
  expect(runs.map(({ count }) => count)).toEqual([3, 1]);
  expect(runs[0]?.estimate.hbmBytes).toBe(option.shards[0]?.hbmBytes);
  expect(runs[1]?.estimate.hbmBytes).toBe(option.shards[3]?.hbmBytes);
});

function options(topology: object, table: object) {
  const problem = readTorchrecProblem({ topology: { world_size: 4, ...topology }, tables: [{ ...TABLE, ...table }] });
  return enumerateOptions(problem)[0] ?? [];
}
