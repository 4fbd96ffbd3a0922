import { describe, expect, test } from "vitest";
import { readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { denseBytes, reserveStorage, type StorageReservation } from "../../../../src/cost/torchrec/reservation.js";
import type { ComputeDevice } from "../../../../src/cost/torchrec/topology.js";

describe("what is left of 1,000,001 bytes of HBM and of host memory", () => {
  // 100 samples of 2.5 indices: 2,000 bytes, in 20 copies 40,000.
  test.each<[StorageReservation, ComputeDevice, number, number]>([
    [{ policy: "fixed_percentage", percentage: 0.1 }, "cuda", 900_000, 1_000_001],
    [{ policy: "fixed_absolute", hbmBytes: 100_001 }, "cuda", 900_000, 1_000_001],
    [{ policy: "fixed_absolute", hbmBytes: 2_000_000 }, "cuda", 0, 1_000_001],
    [{ policy: "heuristical", percentage: 0.1, denseBytes: 50_000 }, "cuda", 810_000, 1_000_001],
    [{ policy: "heuristical", percentage: 0.1, denseBytes: 50_000 }, "cpu", 900_000, 910_001],
    [{ policy: "heuristical", percentage: 0.1, denseBytes: 50_000 }, "tpu", 900_000, 1_000_001],
    [{ policy: "inference", percentage: 0.1, denseBytes: 50_000 }, "cuda", 848_000, 1_000_001],
    [{ policy: "inference", percentage: 0.1, denseBytes: 950_000 }, "cuda", -52_000, 1_000_001],
    [
      { policy: "sku_aware", marginBytes: 100_000, runtimeOverheadBytes: 10_001, denseBytes: 50_000 },
      "cuda",
      800_000,
      1_000_001,
    ],
    [{ policy: "sku_aware", modelBaseBytes: 100_000, runtimeOverheadBytes: 10_001 }, "cuda", 850_000, 1_000_001],
  ])("%j on %s", (reservation, computeDevice, hbmBytes, hostBytes) => {
    expect(reserve(reservation, computeDevice)).toEqual([{ hbmBytes, hostBytes, ssdBytes: 7 }]);
  });

  test.each<StorageReservation>([
    { policy: "heuristical", percentage: 0.1, denseBytes: 860_001 },
    { policy: "sku_aware", modelBaseBytes: 950_000, runtimeOverheadBytes: 10_001 },
  ])("%j leaves too little", (reservation) => {
    expect(() => reserve(reservation, "cuda")).toThrow("expected a reservation that leaves memory for tables");
  });

  test("a heuristical reservation may leave nothing at all", () => {
    const reservation: StorageReservation = { policy: "heuristical", percentage: 0.1, denseBytes: 860_000 };
    expect(reserve(reservation, "cuda")[0]?.hbmBytes).toBe(0);
  });

  function reserve(reservation: StorageReservation, compute_device: ComputeDevice) {
    const features = { pooling_factors: [1, 1.5], num_poolings: [3, 3] };
    // TorchRec's planner raises for a TPU's tables without.
    const kernels = compute_device === "tpu" ? { compute_kernels: ["fused"] } : {};
    const problem = readTorchrecProblem({
      topology: { world_size: 1, compute_device },
      batch_size: 100,
      devices: [{ hbm: 1_000_001, ddr: 1_000_001, ssd: 7 }],
      tables: [{ name: "t", num_embeddings: 10, embedding_dim: 4, ...features, ...kernels }],
    });
    return reserveStorage(problem.devices, reservation, { computeDevice: compute_device, ...problem });
  }
});

test("the dense model counts six times its parameters for training, once for inference, and its buffers once", () => {
  expect(denseBytes(1_000, 24)).toBe(6_024);
  expect(denseBytes(1_000, 24, 1)).toBe(1_024);
});
