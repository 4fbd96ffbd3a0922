import { expect, test } from "vitest";
import { flexshard3tier } from "../../../../../src/problems/row-tiers/methods/flexshard.js";
import { tinyInstance } from "../../../../support/tiny-instance.js";
import { runsOf } from "./support.js";

// In tinyInstance flex costs 6/2 − 1/4 = 2.75 times a row's bytes more memory than row_wise.
const oneTable = [
  {
    dim: 4,
    histogram: [
      [2, 3],
      [4, 1.25],
      [6, 0.5],
      [14, 0.0625],
    ],
  },
] as const;

test("replicates down to p_mem, then flex until the saved memory is used up", () => {
  const { instance, access } = tinyInstance(oneTable);
  // 2·18.25 + 4·4.25 = 53.5 saved: ⌊53.5 / 2.75⌋ = 19 rows.
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 6, flex 19, row_wise 1"]);
});

test("a smaller budget leaves less for flex", () => {
  const { instance, access } = tinyInstance(oneTable, { budget: { kind: "extraBytesPerGpu", bytes: -40 * 16 } });
  // 13.5 of the 53.5 may be spent: ⌊13.5 / 2.75⌋ = 4 rows.
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 6, flex 4, row_wise 16"]);
});

test("a row at p_mem is replicated; a row that is never read gains nothing from flex", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 4,
      histogram: [
        [2, 3],
        [3, 0.71875],
        [4, 0.0625],
        [5, 0],
      ],
    },
  ]);
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 5, flex 4, row_wise 5"]);
});

test("where even the replicated rows are over the budget no row is flex", () => {
  const { instance, access } = tinyInstance(oneTable, { budget: { kind: "bytesPerGpu", bytes: 1 } });
  expect(runsOf(flexshard3tier(instance, access))).toEqual(["data_parallel 6, row_wise 20"]);
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
