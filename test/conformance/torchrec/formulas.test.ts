import { describe, expect, test } from "vitest";
import { TORCHREC_CONSTANTS } from "../../../src/cost/torchrec/constants.js";
import { kernelBandwidth } from "../../../src/cost/torchrec/kernels.js";
import { expectedMissRate, missRateOfHistogram } from "../../../src/cost/torchrec/perf/context.js";
import type { PipelineType } from "../../../src/cost/torchrec/problem.js";
import { readTorchrecProblem } from "../../../src/cost/torchrec/read-problem.js";
import { NEWEST_RELEASE } from "../../../src/cost/torchrec/release.js";
import { indexBytes, reserveStorage, type StorageReservation } from "../../../src/cost/torchrec/reservation.js";
import { pipelineIoBytes } from "../../../src/cost/torchrec/storage/io.js";
import { recordedCase } from "./recorded.js";

describe("pipeline_io", () => {
  // Recorded with weights of 100 bytes, inputs of 1024 and outputs of 3333.
  type Line = { pipeline_type: PipelineType; at_peak: boolean; expect: Record<string, number> };
  test.each(recordedCase("pipeline_io").inline as unknown as Line[])(
    "$pipeline_type, at peak: $at_peak",
    ({ pipeline_type, at_peak, expect: expected }) => {
      const bytes = (isCached: boolean, prefetchPasses: number) =>
        100 +
        pipelineIoBytes(
          { inputBytes: 1024, outputBytes: 3333 },
          {
            release: NEWEST_RELEASE,
            isInference: false,
            pipelineType: pipeline_type,
            runEmbeddingAtPeakMemory: at_peak,
            isCached,
            prefetchPasses,
          },
        );
      expect({ cached: bytes(true, 1), plain: bytes(false, 1), cached_mpp10: bytes(true, 10) }).toEqual(expected);
    },
  );
});

describe("kernel_bw_uvm_caching", () => {
  const { topology } = readTorchrecProblem({
    topology: { world_size: 2 },
    tables: [{ name: "t", num_embeddings: 1, embedding_dim: 4 }],
  });
  type Line = { caching_ratio: number; bytes_per_ms: number; with_prefetch_pipeline: number };
  test.each(recordedCase("kernel_bw_uvm_caching").inline as unknown as Line[])(
    "load factor $caching_ratio",
    ({ caching_ratio: cachingRatio, bytes_per_ms, with_prefetch_pipeline }) => {
      const bandwidth = (prefetchPipeline: boolean) =>
        kernelBandwidth("fused_uvm_caching", topology, TORCHREC_CONSTANTS, { cachingRatio, prefetchPipeline });
      expect(bandwidth(false)).toBe(bytes_per_ms);
      expect(bandwidth(true)).toBe(with_prefetch_pipeline);
    },
  );
});

describe("miss_rate_curve", () => {
  const [byLoadFactor, byCacheSize, byTens, neverRead] = recordedCase("miss_rate_curve").inline as unknown as [
    { hist: number[]; height: number; clf_to_miss: [number, number][] },
    { hist: number[]; bins: number[]; cache_size_to_miss: [number, number][] },
    { cache_size_to_miss: [number, number][] },
    { hist: number[]; cache_size_to_miss: [number, number][] },
  ];

  test.each(byLoadFactor.clf_to_miss)("load factor %d", (loadFactor, miss) => {
    const { hist: missHistogram, height } = byLoadFactor;
    expect(expectedMissRate({ expectedLookups: 1, missHistogram, height }, loadFactor)).toBe(miss);
  });

  test.each(byCacheSize.cache_size_to_miss)("%d of 4 rows cached", (size, miss) => {
    expect(missRateOfHistogram(byCacheSize.hist, byCacheSize.bins, size)).toBe(miss);
  });

  test.each(byTens.cache_size_to_miss)("%d of 100 rows cached, ten bins of ten", (size, miss) => {
    const missHistogram = Array.from({ length: 10 }, () => 10);
    const rate = expectedMissRate({ expectedLookups: 1, missHistogram, height: 100 }, size / 100);
    // The recorded 0.1 is the decimal of 1 − 90/100, which rounds.
    expect(Math.abs(rate - miss)).toBeLessThanOrEqual(1e-12 * miss);
  });

  test.each(neverRead.cache_size_to_miss)("%d rows cached of a table never read", (size, miss) => {
    expect(missRateOfHistogram(neverRead.hist, [0, 1, 2], size)).toBe(miss);
  });
});

describe("reservations", () => {
  // HBM before the reservation: 2 MiB and 1 GiB in the planner's own tests; 0.1 GB is cut to whole bytes.
  type Line = { id: string; hbm: number; reservation: StorageReservation; tables: number };
  test.each<Line>([
    {
      id: "plan_tw_solution",
      hbm: 2 * 1024 ** 2,
      reservation: { policy: "heuristical", percentage: 0.15, denseBytes: 110456 },
      tables: 4,
    },
    {
      id: "plan_fail_tw_only",
      hbm: 2 * 1024 ** 2,
      reservation: { policy: "heuristical", percentage: 0.15, denseBytes: 61304 },
      tables: 1,
    },
    {
      id: "plan_fixed_absolute",
      hbm: 1024 ** 3,
      reservation: { policy: "fixed_absolute", hbmBytes: Math.trunc(0.1 * 1024 ** 3) },
      tables: 4,
    },
  ])("$id: the devices that are left", ({ id, hbm, reservation, tables }) => {
    const recorded = recordedCase(id);
    const problem = readTorchrecProblem({
      topology: recorded.topology,
      devices: [{ hbm }, { hbm }],
      tables: Array.from({ length: tables }, (_, table) => ({
        name: `table_${table}`,
        num_embeddings: 100,
        embedding_dim: 64,
      })),
    });
    const left = reserveStorage(problem.devices, reservation, { computeDevice: "cuda", ...problem });
    expect(left.map(({ hbmBytes, hostBytes, ssdBytes }) => ({ hbm: hbmBytes, ddr: hostBytes, ssd: ssdBytes }))).toEqual(
      recorded.devices_after_reservation,
    );
    expect(indexBytes(problem, 20)).toBe(recorded.reservation?.kjt_bytes);
    if ("denseBytes" in reservation) expect(reservation.denseBytes).toBe(recorded.reservation?.dense_bytes);
  });
});
