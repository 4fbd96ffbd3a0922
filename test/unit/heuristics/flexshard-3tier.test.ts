import { expect, test } from "vitest";
import { flexshard3tier } from "../../../src/heuristics/row-tiers/flexshard-3tier.js";
import { tinyInstance } from "../../support/tiny-instance.js";
import { runsOf } from "./support.js";

// In tinyInstance flex costs 6/2 − 1/4 = 2.75 times a row's bytes more memory than row_wise, and communicates less for
// 16·p/4000 + 1/1000 < 16·p/1000, that is p > 1/12.
const oneTable = [
  {
    dim: 4,
    histogram: [
      [2, 3],
      [4, 1.25],
      [6, 0.5],
      [8, 0.0625],
    ],
  },
] as const;

test("flex ends where it communicates no less than row_wise", () => {
  const { instance, access } = tinyInstance(oneTable);
  // 2·18.25 + 4·4.25 = 53.5 saved, 6·2.75 = 16.5 spent on flex; the coldest class is below 1/12.
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 6, flex 6, row_wise 8"]);
});

test("flex ends where the saved memory is used up", () => {
  const { instance, access } = tinyInstance(oneTable, { budget: { kind: "extraBytesPerGpu", bytes: -40 * 16 } });
  // 13.5 of the 53.5 may be spent: ⌊13.5 / 2.75⌋ = 4 rows.
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 6, flex 4, row_wise 10"]);
});

test("a row at p_mem is replicated; one at the communication break-point is row_wise", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 4,
      histogram: [
        [2, 3],
        [3, 0.71875],
        [4, 0.0625],
        [5, 0.03125],
      ],
    },
  ]);
  const at = (allReduceCross: number) => {
    const bandwidth = { ...instance.cluster.bandwidth, allToAllGlobal: 1024, allToAllIntra: 2048, allReduceCross };
    return runsOf(flexshard3tier({ ...instance, cluster: { ...instance.cluster, bandwidth } }, access))[0];
  };
  // 16·p·(1/1024 − 1/2048) = 1/(2·ar) at p = 1/16 gives ar = 1024 exactly, where flex gains nothing.
  expect(at(1024)).toBe("data_parallel 5, row_wise 9");
  expect(at(1025)).toBe("data_parallel 5, flex 4, row_wise 5");
});

test("without a faster network inside the nodes no row is flex", () => {
  const { instance, access } = tinyInstance(oneTable);
  const bandwidth = { ...instance.cluster.bandwidth, allToAllIntra: 1000 };
  expect(runsOf(flexshard3tier({ ...instance, cluster: { ...instance.cluster, bandwidth } }, access))).toEqual([
    "data_parallel 6, row_wise 14",
  ]);
});

test("without rows above p_mem nothing is saved and all stays row_wise", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 4,
      histogram: [
        [6, 0.5],
        [8, 0.0625],
      ],
    },
  ]);
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["row_wise 14"]);
});

test("tables are merged and rows weigh by their bytes; blocks move whole", () => {
  const tables = [
    {
      dim: 16,
      histogram: [
        [1, 1.5],
        [7, 0.2],
      ],
    },
    {
      dim: 2,
      histogram: [
        [3, 2],
        [6, 0.3],
      ],
    },
  ] as const;
  const { instance, access } = tinyInstance(tables);
  // Saved 6.25·64 + 3·10.25·8 = 646 bytes; flex: 6·22 = 132 for the narrow rows, then ⌊514 / 176⌋ = 2 wide ones.
  expect(runsOf(flexshard3tier(instance, access))).toEqual([
    "data_parallel 1, flex 2, row_wise 5",
    "data_parallel 3, flex 6",
  ]);
  // Blocks of two: wide [1.5, 0.2] has mean 0.85; narrow [2, 2], [2, 0.3] (mean 1.15), then 0.3 twice and one row alone.
  // Saved 2·1.05·64 + 2·10.25·8 + 2·3.45·8 = 353.6; flex 5·22 = 110 narrow; 243.6 are short of a wide block, 352.
  expect(runsOf(flexshard3tier({ ...instance, granularity: 2 }, access))).toEqual([
    "data_parallel 2, row_wise 6",
    "data_parallel 4, flex 5",
  ]);
});

test("says which tier is missing", () => {
  const { instance, access } = tinyInstance(oneTable, { tiers: ["data_parallel", "row_wise"] });
  expect(flexshard3tier(instance, access)).toEqual({
    kind: "not-applicable",
    reason: "needs the tier flex, which the instance does not allow",
  });
});
