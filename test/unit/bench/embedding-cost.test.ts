import { expect, test } from "vitest";
import { EmbeddingBag } from "../../../bench/embedding-cost/embedding-bag.js";
import { binsOf, drawLookups } from "../../../bench/embedding-cost/indices.js";
import { trimmedMean, trimmedMilliseconds } from "../../../bench/embedding-cost/trimmed-runs.js";
import { BINS } from "../../../src/cost/neural/features.js";
import { seededRandom } from "../../../src/exact/random.js";

/** Half of the distinct rows are read once in a batch, half some 768 times. */
const accessBins = Array.from({ length: BINS }, (_, bin) => (bin === 0 || bin === 10 ? 0.5 : 0));
const table = { rows: 100_000, dim: 4, elementBytes: 4, poolingFactor: 2, accessBins };

test("look-ups are as many as the pooling factor says, within the table, and skewed as the bins say", () => {
  const { indices, offsets } = drawLookups(table, 65_536, seededRandom(1));
  expect(indices).toHaveLength(131_072);
  expect([offsets[0], offsets[1], offsets.at(-1)]).toEqual([0, 2, 131_072]);
  expect(indices.every((index) => index >= 0 && index < table.rows)).toBe(true);
  const bins = binsOf({ indices, offsets });
  expect(bins.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  // Rows of the tenth bin are all read; of those that are read once on average, 63 % are.
  expect(bins[10]).toBeGreaterThan(0.5);
  expect(bins[10]).toBeLessThan(0.7);
  expect((bins[0] as number) + (bins[1] as number) + (bins[2] as number)).toBeGreaterThan(0.3);
});

test("the bins of indices that are counted by hand", () => {
  const indices = Int32Array.from([7, 1, 1, 2, 2, 2, 3, 3, 3, 3]);
  const bins = binsOf({ indices, offsets: Int32Array.from([0, 10]) });
  expect(bins.slice(0, 4)).toEqual([0.25, 0.25, 0.5, 0]);
});

test("a table without look-ups has no bins, and costs nothing to draw", () => {
  const lookups = drawLookups({ ...table, poolingFactor: 0, accessBins: accessBins.map(() => 0) }, 8, seededRandom(1));
  expect(lookups.indices).toHaveLength(0);
  expect(binsOf(lookups)).toEqual(accessBins.map(() => 0));
});

test("an embedding bag adds up the rows of a sample and updates them", () => {
  const lookups = { indices: Int32Array.from([0, 2, 2, 1]), offsets: Int32Array.from([0, 2, 4]) };
  const bag = new EmbeddingBag(3, 2, lookups);
  expect([...bag.forward()]).toEqual([1, 1, 1, 1]);
  bag.backward(Float32Array.from([10, 0, 0, 20]));
  // Row 0 lost (0.1, 0), row 2 (0.1, 0.2), row 1 (0, 0.2) of the (0.5, 0.5) that each had.
  const [a, b, c, d] = bag.forward() as unknown as [number, number, number, number];
  expect(a).toBeCloseTo(0.8, 6);
  expect(b).toBeCloseTo(0.8, 6);
  expect(c).toBeCloseTo(0.9, 6);
  expect(d).toBeCloseTo(0.6, 6);
});

test("two runs at either end are left out of ten; five more warm up", () => {
  expect(trimmedMean([1000, 4, 2, 3, 5, 900, 6, 7, -50, -60])).toBe(4.5);
  let runs = 0;
  expect(trimmedMilliseconds(() => runs++, 1024)).toBeGreaterThanOrEqual(0);
  expect(runs).toBe(15);
});
