import { expect, test } from "vitest";
import {
  featureNames,
  featuresOver,
  NETWORK_KINDS,
  type NetworkKind,
  type NetworkTable,
  writeFeatures,
} from "../../../../src/cost/neural/features.js";

const bins = (first: number) => [first, 1 - first, ...new Array<number>(15).fill(0)];
const small: NetworkTable = { rows: 2 ** 20, dim: 16, elementBytes: 2, poolingFactor: 3, accessBins: bins(0.25) };
const large: NetworkTable = { rows: 2 ** 22, dim: 48, elementBytes: 4, poolingFactor: 9, accessBins: bins(0.75) };
const tables = [small, large];

const inputs = (table: NetworkTable, kind: NetworkKind) => {
  const out = new Float64Array(2 + featureNames(kind).length);
  writeFeatures(table, kind, featuresOver(tables, kind), out, 2);
  expect([out[0], out[1]]).toEqual([0, 0]);
  return [...out.slice(2)];
};

test("AutoShard's networks see 21 features, NeuroShard's 20", () => {
  expect(NETWORK_KINDS.map((kind) => featureNames(kind).length)).toEqual([21, 21, 20]);
});

test("AutoShard: width, rows and pooling factor normalised, size in GiB and bins as they are", () => {
  const [dim, rows, pooling, size, ...rest] = inputs(large, "neural");
  // Two values: each is one deviation from their mean.
  for (const value of [dim, rows, pooling]) expect(value).toBeCloseTo(1, 5);
  expect(size).toBe(48 / 64);
  expect(rest).toEqual(large.accessBins);
  const [smallDim, , , smallSize] = inputs(small, "neural");
  expect(smallDim).toBeCloseTo(-1, 5);
  expect(smallSize).toBe(1 / 32);
});

test("NeuroShard: everything normalised, and what all tables share is 0", () => {
  const [dim, rows, pooling, bin0, bin1, ...rest] = inputs(large, "neuroshard");
  for (const value of [dim, rows, pooling]) expect(value).toBeCloseTo(1, 5);
  expect(bin0).toBeCloseTo(1, 5);
  expect(bin1).toBeCloseTo(-1, 5);
  expect(rest).toEqual(new Array(15).fill(0));
});
