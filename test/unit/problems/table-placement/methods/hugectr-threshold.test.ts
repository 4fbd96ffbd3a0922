import { expect, test } from "vitest";
import { hugectrThreshold } from "../../../../../src/problems/row-tiers/methods/hugectr-threshold.js";
import { tinyInstance } from "../../../../support/tiny-instance.js";
import { oneTable, runsOf } from "../../row-tiers/methods/support.js";

test("several nodes: rows from (B_a2a/B_ar)·N/(M·(N − 1)) on, rounded up to a multiple of the GPUs", () => {
  const { instance, access } = tinyInstance(oneTable);
  // p ≥ (1000/3000)·4/(8·3) = 1/18: 21 rows, rounded up to 24.
  expect(runsOf(hugectrThreshold(instance, access))).toEqual(["data_parallel 24, row_wise 17"]);
});

test("a row at the threshold is frequent", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 4,
      histogram: [
        [2, 0.0625],
        [2, 0.0624],
      ],
    },
  ]);
  // Two GPUs in two nodes, all-reduce four times the all-to-all: (1/4)·2/(8·1) = 0.0625 exactly.
  const bandwidth = { ...instance.cluster.bandwidth, allReduceGlobal: 4000 };
  const cluster = { ...instance.cluster, gpusPerNode: 1, bandwidth };
  expect(runsOf(hugectrThreshold({ ...instance, cluster }, access))).toEqual(["data_parallel 2, row_wise 2"]);
});

test("one node: rows that would often be there twice in a GPU's batch", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 4,
      histogram: [
        [3, 1.5],
        [6, 0.019],
        [5, 0.0188],
      ],
    },
  ]);
  const cluster = { ...instance.cluster, nodes: 1 };
  // √(2·0.01/(8·7)) = 0.018898…: nine rows, rounded up to a multiple of two.
  expect(runsOf(hugectrThreshold({ ...instance, cluster }, access))).toEqual(["data_parallel 10, row_wise 4"]);
  const training = { ...instance.training, batchPerGpu: 1 };
  expect(runsOf(hugectrThreshold({ ...instance, cluster, training }, access))).toEqual(["row_wise 14"]);
});

test("the rounding stops at all rows, crosses tables, and goes on to whole blocks", () => {
  const all = tinyInstance([{ dim: 4, histogram: [[5, 1]] }]);
  expect(runsOf(hugectrThreshold(all.instance, all.access))).toEqual(["data_parallel 5"]);
  const two = tinyInstance([
    {
      dim: 4,
      histogram: [
        [5, 1],
        [6, 0.02],
      ],
    },
    {
      dim: 8,
      histogram: [
        [2, 0.03],
        [6, 0.01],
      ],
    },
  ]);
  // Five frequent rows become eight: the two at 0.03 come first, then one at 0.02.
  expect(runsOf(hugectrThreshold(two.instance, two.access))).toEqual([
    "data_parallel 6, row_wise 5",
    "data_parallel 2, row_wise 6",
  ]);
  const blocks = tinyInstance(
    [
      {
        dim: 4,
        histogram: [
          [5, 1],
          [16, 0.001],
        ],
      },
    ],
    { granularity: 3 },
  );
  // Blocks of three with means 1, 0.667, 0.001: six rows, rounded up to eight, held by three blocks.
  expect(runsOf(hugectrThreshold(blocks.instance, blocks.access))).toEqual(["data_parallel 9, row_wise 12"]);
});

test("memory does not bind it", () => {
  const { instance, access } = tinyInstance(oneTable, { budget: { kind: "bytesPerGpu", bytes: 1 } });
  expect(runsOf(hugectrThreshold(instance, access))).toEqual(["data_parallel 24, row_wise 17"]);
});
