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
      runtime: {},
    },
  ]);
  expect(settings).toEqual({
    isInference: false,
    countsVirtual: false,
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
      "a release that is not known",
      { ...PROBLEM, version: "2.0" },
      "version: expected a release of TorchRec whose costs are known, 1.0 to 1.9, received 2.0; leave it out for 1.9",
    ],
    [
      "a kernel that the release has not",
      { ...table({ compute_kernels: ["fused", "key_value"] }), version: 1.3 },
      "tables[0].compute_kernels[1]: expected what is known of TorchRec 1.3, received key_value, which is known from 1.7 on; leave it out, or change version",
    ],
    [
      "a sharding type that the release has not",
      { ...table({ sharding_types: ["grid_shard"] }), version: "1.0.0" },
      "tables[0].sharding_types[0]: expected what is known of TorchRec 1.0, received grid_shard, which is known from 1.1 on",
    ],
    [
      "domains that the release has not",
      { ...PROBLEM, topology: { world_size: 4, local_world_size: 2, pod_size: 2 }, version: 1.6 },
      "topology.pod_size: expected what is known of TorchRec 1.6, received NVLink domains of several hosts, which is known from 1.7 on",
    ],
    ["inference of old", { ...PROBLEM, is_inference: true, version: 1.5 }, "is_inference: expected what is known of"],
    [
      "a device of old",
      { ...PROBLEM, topology: { world_size: 2, compute_device: "mtia" }, version: 1.2 },
      "received mtia",
    ],
    [
      "a reservation that there is not",
      { ...PROBLEM, reservation: { policy: "heuristic" } },
      'reservation.policy: expected one of heuristical, fixed_percentage, fixed_absolute, inference, sku_aware, received string "heuristic"',
    ],
    [
      "a key of another reservation",
      { ...PROBLEM, reservation: { policy: "fixed_percentage", percentage: 0.1, dense_tensor_estimate: 5 } },
      "reservation.dense_tensor_estimate: unknown key in this place; remove it",
    ],
    [
      "a reservation newer than the release",
      { ...PROBLEM, version: "1.8.0", reservation: { policy: "sku_aware" } },
      "reservation.policy: expected what is known of TorchRec 1.8, received sku_aware, which is known from 1.9 on",
    ],
    [
      "a reservation of more than there is",
      { ...PROBLEM, reservation: { policy: "heuristical", dense_tensor_estimate: 40e9 } },
      "reservation: expected a reservation that leaves memory for tables, received one that leaves -10794304308 bytes of HBM on rank 0; reserve less, or use devices with more",
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

test("a reservation is taken off every rank, and rows are cut by what was there before", () => {
  const { devices, reserved, topology } = readTorchrecProblem({
    ...PROBLEM,
    devices: [{ hbm: 3000 }, { hbm: 1000 }],
    reservation: { policy: "fixed_percentage", percentage: 0.5 },
  });
  expect(devices.map(({ hbmBytes }) => hbmBytes)).toEqual([1500, 500]);
  expect(reserved?.from.map(({ hbmBytes }) => hbmBytes)).toEqual([3000, 1000]);
  expect(topology.customCapacities).toEqual([3000, 1000]);
});

test("a text's errors have their place", () => {
  const text =
    '{\n  "topology": {"world_size": 2},\n  "tables": [{"name": "t", "num_embeddings": 0, "embedding_dim": 8}]\n}';
  expect(() => parseTorchrecProblem(text, "problem.json")).toThrow(
    "problem.json:3:46: tables[0].num_embeddings: expected an integer of at least 1",
  );
  expect(parseTorchrecProblem(text.replace(": 0", ": 100"), "problem.json")).toEqual(readTorchrecProblem(PROBLEM));
});
