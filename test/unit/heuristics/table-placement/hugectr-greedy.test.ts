import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { PlacementOption, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { hugectrGreedy } from "../../../../src/heuristics/table-placement/hugectr-greedy.js";
import { devicesOf, planOf, problemWith, sharded, times, whole } from "./support.js";

/**
 * Rows and multi-hot sizes of MLPerf's DLRM-DCNv2: facebookresearch/dlrm at 090956ee2319, torchrec_dlrm/README.MD (MIT), and
 * NVIDIA-Merlin/HugeCTR at 2f2016fa8979, samples/dlrm/train.py (Apache-2.0). Every dimension is 128.
 */
const DLRM_DCNV2 = [
  [40000000, 3],
  [39060, 2],
  [17295, 1],
  [7424, 2],
  [20265, 6],
  [3, 1],
  [7122, 1],
  [1543, 1],
  [63, 1],
  [40000000, 7],
  [3067956, 3],
  [405282, 8],
  [10, 1],
  [2209, 6],
  [11938, 9],
  [155, 5],
  [4, 1],
  [976, 1],
  [14, 1],
  [40000000, 12],
  [40000000, 100],
  [40000000, 27],
  [590152, 10],
  [12973, 3],
  [108, 1],
  [36, 1],
] as const;

/**
 * HugeCTR's cost model: a shard of a table cut into k costs hotness/k + c, its memory is rows/k · dim · 8 bytes. Tables
 * smaller than the threshold are replicated. Several nodes are planned with a node for a device (`hier_auto`).
 */
function dlrm(devices: number, perShard: number, bytes: number, threshold: number): PlacementProblem {
  const bytesOf = (rows: number) => rows * 128 * 8;
  const isCut = ([rows]: (typeof DLRM_DCNV2)[number]) => bytesOf(rows) >= threshold;
  const replicated = DLRM_DCNV2.filter((table) => !isCut(table)).reduce((sum, [rows]) => sum + bytesOf(rows), 0);
  const counts = Array.from({ length: Math.log2(devices) + 1 }, (_, power) => 2 ** power);
  return problemWith(
    { gpusPerNode: devices, hbmBytes: bytes - replicated },
    DLRM_DCNV2.filter(isCut).map(([rows, hotness]) =>
      counts.map((k) => sharded("row_wise", "device", times(k, hotness / k + perShard, Math.ceil(bytesOf(rows) / k)))),
    ),
  );
}

// What the planner of samples/dlrm/sharding comes to, with the settings of config_DGXH100_{1x8x6912, 8x8x2112, 16x8x1056}.sh.
test.each([
  ["1 node of 8", dlrm(8, 7 / 4, 60e9, 0.008e9), 29],
  ["8 nodes", dlrm(8, 67 / 4, 480e9, 0.0125e9), 61.5],
  ["16 nodes", dlrm(16, 67 / 4, 480e9, 0.0125e9), 41.75],
])("MLPerf's DLRM-DCNv2 on %s", (_, problem, value) => {
  const evaluation = evaluatePlacement(problem, planOf(hugectrGreedy(problem, { seed: 0 })));
  expect(evaluation.violations).toEqual([]);
  expect(evaluation.largest.toNumber()).toBe(value);
});

/** A table that costs `cost` in all and may be cut into up to so many shards of `overhead` more each. */
function cuttable(cost: number, bytes: number, most: number, overhead = 0): PlacementOption[] {
  const options: PlacementOption[] = [];
  for (let k = 1; k <= most; k *= 2) {
    options.push(sharded("row_wise", "device", times(k, cost / k + overhead, bytes / k)));
  }
  return options;
}

test("shards of a table go to different devices", () => {
  const problem = problemWith({ gpusPerNode: 4 }, [cuttable(16, 8, 4), [whole(3)]]);
  const [shards, other] = devicesOf(hugectrGreedy(problem, { seed: 0 }));
  expect(new Set(shards).size).toBe(4);
  expect(other).toHaveLength(1);
});

test("a table that fits nowhere is cut until it does", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [cuttable(4, 16, 2, 1)]);
  expect(devicesOf(hugectrGreedy(problem, { seed: 0 }))).toEqual([[0, 1]]);
});

test("cutting stops paying: the round before it is the plan", () => {
  // Whole, the tables cost 5 and 5; one cut, 3.5 + 3.5 beside 5, and so on.
  const problem = problemWith({ gpusPerNode: 2 }, [cuttable(5, 1, 2, 3), cuttable(5, 1, 2, 3)]);
  expect(planOf(hugectrGreedy(problem, { seed: 0 })).choices.map(({ option }) => option)).toEqual([0, 0]);
});

test("it gives up where tables spread over all devices do not fit, though devices may differ", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: [20, 2] }, [cuttable(4, 16, 2)]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "none",
    reason: "it gives up when the tables do not fit spread evenly over all devices",
  });
});

test("a shard that cannot be cut further and fits nowhere ends the search", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [[whole(1, 11)]]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "none",
    reason: "a shard that it could cut no further fitted on no device",
  });
});

test("shards of an option that has one on every device are on their own", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [
    [whole(8, 2), sharded("row_wise", "uniform", times(2, 4, 1))],
    [whole(1, 1), sharded("row_wise", "uniform", times(2, 1, 1))],
  ]);
  const placement = planOf(hugectrGreedy(problem, { seed: 0 }));
  expect(evaluatePlacement(problem, placement).violations).toEqual([]);
  expect(placement.choices[0]).toEqual({ option: 1, devices: [0, 1] });
});

test("a table without an option of one shard is not for it", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1)], [sharded("column_wise", "device", times(2, 1))]]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "not-applicable",
    reason: "starts from whole tables, and t1 has no option with one shard for any device",
  });
});
