import { describe, expect, test } from "vitest";
import type { ComputeKernel } from "../../../../src/cost/torchrec/kernels.js";
import { readTorchrecProblem } from "../../../../src/cost/torchrec/read-problem.js";
import { estimateStorage, optimizerMultiplier } from "../../../../src/cost/torchrec/storage/estimate.js";

test.each([
  [undefined, 0],
  ["SGD", 0],
  ["torch.optim.SGD", 0],
  ["Adam", 2],
  ["torchrec.optim.RowWiseAdagrad", 1 / 64],
  ["PartialRowWiseAdam", 1],
  ["Adagrad", 1],
])("optimizer %s", (optimizer, multiplier) => {
  expect(optimizerMultiplier(optimizer, 64)).toBe(multiplier);
});

describe("a table of 1000 × 64 in fp32, table-wise on two ranks, with 512 samples of one index each", () => {
  // 2 · 512 · 8 bytes of indices and 2 · 512 · 64 · 4 of output; 256,000 bytes of weights.
  const IO = 8_192 + 262_144;

  test("in HBM", () => {
    expect(storage("fused", {})).toEqual({ hbmBytes: 256_000 + IO, hostBytes: 0, ssdBytes: 0 });
  });

  test("in host memory behind a cache of a fifth, with 4 + 16/5 bytes of bookkeeping a row", () => {
    const expected = { hbmBytes: 51_200 + 7_200 + IO, hostBytes: 256_000, ssdBytes: 0 };
    expect(storage("fused_uvm_caching", {})).toEqual(expected);
  });

  test("with Adam, three times the weights", () => {
    expect(storage("fused", { optimizer: "Adam" })).toEqual({ hbmBytes: 768_000 + IO, hostBytes: 0, ssdBytes: 0 });
  });

  test("behind a key-value store: the cap of 1 MiB is above the cache of a fifth; the SSD holds weights and bookkeeping", () => {
    const table = { key_value_params: { max_l1_cache_size: 1 } };
    expect(storage("key_value", table)).toEqual({
      hbmBytes: 51_200 + IO,
      hostBytes: 0,
      ssdBytes: 256_000 + 7_200,
    });
  });

  test("on a TPU: no bytes of HBM are counted", () => {
    expect(storage("fused", { compute_kernels: ["fused"] }, "tpu")).toEqual({ hbmBytes: 0, hostBytes: 0, ssdBytes: 0 });
  });

  test("on the CPU: all of it in host memory", () => {
    expect(storage("fused", {}, "cpu")).toEqual({ hbmBytes: 0, hostBytes: 256_000 + IO, ssdBytes: 0 });
  });

  function storage(kernel: ComputeKernel, table: object, compute_device = "cuda") {
    const problem = readTorchrecProblem({
      topology: { world_size: 2, compute_device },
      tables: [{ name: "t", num_embeddings: 1000, embedding_dim: 64, ...table }],
    });
    const [first] = problem.tables;
    if (!first) throw new Error("no table");
    return estimateStorage(problem, first, "table_wise", kernel, { sizes: [1000, 64] });
  }
});
