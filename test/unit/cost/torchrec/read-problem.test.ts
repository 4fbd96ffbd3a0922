import { describe, expect, test } from "vitest";
import { parseTorchrecProblem, readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { InputError } from "../../../../src/errors/input-error.js";

const PROBLEM = {
  topology: { world_size: 2 },
  tables: [{ name: "t", num_embeddings: 100, embedding_dim: 8 }],
};

test("TorchRec's defaults are filled in", () => {
  const { topology, devices, tables, settings, constants } = readTorchrecProblem(PROBLEM);
  expect(topology).toEqual({
    worldSize: 2,
    localWorldSize: 2,
    podSize: 1,
    computeDevice: "cuda",
    intraHostBandwidth: 644245094.4,
    interHostBandwidth: 13421772.8,
    hbmBandwidth: 963146416.128,
    ddrBandwidth: 54760833.024,
    hbmToDdrBandwidth: 34359738.368,
    ssdBandwidth: 104857.6,
    backwardComputeMultiplier: 2,
    weightedFeatureBackwardComputeMultiplier: 1,
  });
  const device = { hbmBytes: 34359738368, hostBytes: 137438953472, ssdBytes: 2199023255552 };
  expect(devices).toEqual([device, device]);
  expect(tables).toEqual([
    {
      name: "t",
      rows: 100,
      dim: 8,
      elementBytes: 4,
      sharder: "embedding_bag_collection",
      features: [{ length: 1, poolings: 1, batchSize: 512 }],
      isPooled: true,
      isWeighted: false,
    },
  ]);
  expect(settings).toEqual({
    isInference: false,
    pipelineType: "none",
    runEmbeddingAtPeakMemory: false,
    communicationBytes: {},
  });
  expect(constants.BATCHED_COPY_PERF_FACTOR).toBe(2.455);
});

test("null is the same as nothing, as Python writes None", () => {
  const table = { ...PROBLEM.tables[0], min_partition: null, cache_stats: null, sharding_types: null };
  expect(readTorchrecProblem({ ...PROBLEM, batch_size: null, tables: [table] })).toEqual(readTorchrecProblem(PROBLEM));
});

test("a feature processor weighs a table", () => {
  const { tables } = readTorchrecProblem({
    ...PROBLEM,
    tables: [{ ...PROBLEM.tables[0], has_feature_processor: true }],
  });
  expect(tables[0]?.isWeighted).toBe(true);
});

test("devices that differ are a custom topology, by which rows are cut; given capacities come first", () => {
  const devices = [{ hbm: 3 }, { hbm: 1 }];
  expect(readTorchrecProblem({ ...PROBLEM, devices }).topology.customCapacities).toEqual([3, 1]);
  const topology = { world_size: 2, hbm_cap: [5, 5] };
  expect(readTorchrecProblem({ ...PROBLEM, devices, topology }).topology.customCapacities).toEqual([5, 5]);
  expect(readTorchrecProblem({ ...PROBLEM, devices: [{ hbm: 3 }, { hbm: 3 }] }).topology).not.toHaveProperty(
    "customCapacities",
  );
});

describe("what is wrong is said, with its path", () => {
  const table = (more: object) => ({ ...PROBLEM, tables: [{ ...PROBLEM.tables[0], ...more }] });
  test.each<[string, unknown, string]>([
    ["not a map", 3, "expected a map, received 3"],
    ["no tables", { ...PROBLEM, tables: [] }, "tables: expected at least one entry"],
    [
      "an unknown key",
      table({ pooling_factor: [1] }),
      "tables[0].pooling_factor: unknown key; did you mean pooling_factors?",
    ],
    ["half a row", table({ num_embeddings: 1.5 }), "tables[0].num_embeddings: expected an integer"],
    ["a missing width", table({ embedding_dim: undefined }), "tables[0].embedding_dim: expected an integer"],
    ["an unknown type", table({ dtype: "FP64" }), "tables[0].dtype: expected one of FP32, FP16, BF16"],
    [
      "an unknown kernel",
      table({ compute_kernels: ["fussed"] }),
      "tables[0].compute_kernels[0]: expected one of dense",
    ],
    [
      "a number of poolings too few",
      table({ pooling_factors: [1, 2], num_poolings: [1] }),
      "tables[0].num_poolings: expected 2 entries, one for each of pooling_factors, received 1; give them all",
    ],
    [
      "a sequence in a pooled module",
      table({ is_pooled: false, sharder: "embedding_bag_collection" }),
      "tables[0].sharder: expected embedding_collection for a table whose output is a sequence, received embedding_bag_collection; change it or is_pooled",
    ],
    [
      "statistics without a curve",
      table({ cache_stats: { expected_lookups: 5 } }),
      "tables[0].cache_stats: expected exactly one of miss_rate and mrc_hist_counts, received neither; give one",
    ],
    [
      "one name twice",
      { ...PROBLEM, tables: [PROBLEM.tables[0], PROBLEM.tables[0]] },
      "tables[1].name: expected a name that no other table has, received t, the name of tables[0] too; rename one",
    ],
    [
      "a device too few",
      { ...PROBLEM, devices: [{ hbm: 1 }] },
      "devices: expected 2 entries, one for each rank, received 1; change them or world_size",
    ],
    [
      "a host cut through",
      { ...PROBLEM, topology: { world_size: 6, local_world_size: 4 } },
      "topology.world_size: expected a multiple of 4, the ranks of a host, received 6; change it or local_world_size",
    ],
    [
      "a constant of another program",
      { ...PROBLEM, constants: { HALF_BLOCK_PENALTI: 1 } },
      "constants.HALF_BLOCK_PENALTI: unknown key; did you mean HALF_BLOCK_PENALTY?",
    ],
  ])("%s", (_name, problem, message) => {
    expect(() => readTorchrecProblem(problem)).toThrow(InputError);
    expect(() => readTorchrecProblem(problem)).toThrow(message);
  });
});

test("a text's errors have their place", () => {
  const text =
    '{\n  "topology": {"world_size": 2},\n  "tables": [{"name": "t", "num_embeddings": 0, "embedding_dim": 8}]\n}';
  expect(() => parseTorchrecProblem(text, "problem.json")).toThrow(
    "problem.json:3:46: tables[0].num_embeddings: expected an integer of at least 1",
  );
  expect(parseTorchrecProblem(text.replace(": 0", ": 100"), "problem.json")).toEqual(readTorchrecProblem(PROBLEM));
});
