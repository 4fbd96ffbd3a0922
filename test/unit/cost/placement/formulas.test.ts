import { expect, test } from "vitest";
import { columnCuts, formulaOptions } from "../../../../src/cost/placement/formula-options.js";
import type { TableFeatures } from "../../../../src/instance/types/table-placement.js";

const table: TableFeatures = {
  rows: 1_000_000,
  dim: 64,
  dataType: "fp16",
  elementBytes: 2,
  poolingFactor: 12.5,
  accessBins: null,
};

test.each([
  ["size", (2 * 64e6) / 2 ** 30],
  ["dim", 64],
  ["lookup", 64 * 12.5],
  ["size-lookup", 64 * 12.5 * 6],
] as const)("%s of a whole table is its formula, and its bytes are its parameters", (model, cost) => {
  expect(formulaOptions(model, table, 1)).toEqual([
    {
      shardingType: "table_wise",
      kernel: "fused",
      partitionBy: "device",
      shards: [[1, { cost, hbmBytes: 128e6, hostBytes: 0 }]],
    },
  ]);
});

test("columns are cut into equal parts that are multiples of four wide", () => {
  expect(columnCuts(64, 8)).toEqual([1, 2, 4, 8]);
  expect(columnCuts(48, 8)).toEqual([1, 2, 3, 4, 6]);
  expect(columnCuts(64, 64)).toEqual([1, 2, 4, 8, 16]);
  expect(columnCuts(4, 8)).toEqual([1]);
  expect(columnCuts(10, 8)).toEqual([1]);
  expect(columnCuts(64, 1)).toEqual([1]);
});

test("a part costs what the formula says of its width, and the parts hold the table", () => {
  const options = formulaOptions("lookup", table, 4);
  expect(options.map(({ shards }) => shards)).toEqual([
    [[1, { cost: 800, hbmBytes: 128e6, hostBytes: 0 }]],
    [[2, { cost: 400, hbmBytes: 64e6, hostBytes: 0 }]],
    [[4, { cost: 200, hbmBytes: 32e6, hostBytes: 0 }]],
  ]);
  expect(options.map(({ shardingType }) => shardingType)).toEqual(["table_wise", "column_wise", "column_wise"]);
});
