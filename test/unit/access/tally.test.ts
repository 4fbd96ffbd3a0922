import fc from "fast-check";
import { expect, test } from "vitest";
import { CountTally } from "../../../src/access/counts/tally.js";

/** The classes by a plain map and sort. */
function plainClasses(counts: readonly (readonly [count: number, rows: number])[], tableRows: number, samples: number) {
  const rowsOf = new Map<number, number>();
  let left = tableRows;
  for (const [count, rows] of counts) {
    rowsOf.set(count / samples, (rowsOf.get(count / samples) ?? 0) + rows);
    left -= rows;
  }
  if (left > 0) rowsOf.set(0, (rowsOf.get(0) ?? 0) + left);
  const classes = [...rowsOf].sort((a, b) => b[0] - a[0]);
  return [classes.map(([, rows]) => rows), classes.map(([appearances]) => appearances)];
}

const count = fc.oneof(
  fc.nat(5),
  fc.nat(70_000),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
);
const bins = fc.array(fc.tuple(count, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 ** 40 }))), {
  maxLength: 60,
});

test("classes are those of a plain map, also for tallies that are added up", () => {
  fc.assert(
    fc.property(bins, bins, fc.integer({ min: 1, max: 1e9 }), fc.nat(5), (some, others, samples, unread) => {
      const [tally, other] = [new CountTally(), new CountTally()];
      for (const [value, rows] of some) tally.add(value, rows);
      for (const [value, rows] of others) other.add(value, rows);
      tally.addParts(other.parts());
      const all = [...some, ...others];
      const tableRows = all.reduce((sum, [, rows]) => sum + rows, unread);
      expect(tally.rows).toBe(tableRows - unread);
      const { rows, appearances } = tally.classes(tableRows, samples);
      expect([Array.from(rows), Array.from(appearances)]).toEqual(plainClasses(all, tableRows, samples));
    }),
  );
});

test("counts whose quotients are one double are one class", () => {
  const tally = new CountTally();
  const samples = 1.99;
  const first = [1, 2, 3, 4]
    .map((k) => 2 ** 53 - k)
    .find((count) => count / samples === (count - 1) / samples) as number;
  expect(first).toBeGreaterThan(2 ** 52);
  tally.add(first);
  tally.add(first - 1);
  expect(Array.from(tally.classes(2, samples).rows)).toEqual([2]);
});

test("the lanes grow for many counts beyond them, which changes nothing", () => {
  const tally = new CountTally();
  const expected = new Map<number, number>();
  const lengths = new Set<number>();
  for (let chunk = 0; chunk < 10; chunk++) {
    const { even, odd } = tally.lanes(20_000);
    lengths.add(even.length);
    for (let index = 0; index < 20_000; index++) {
      const value = (chunk * 20_000 + index) % 150_000;
      expected.set(value, (expected.get(value) ?? 0) + 1);
      const lane = index % 2 === 0 ? even : odd;
      if (value < lane.length) lane[value] = (lane[value] as number) + 1;
      else tally.addBeyond(value);
    }
  }
  expect(lengths.size).toBe(2);
  const { rows, appearances } = tally.classes(200_000, 1);
  expect([Array.from(rows), Array.from(appearances)]).toEqual(plainClasses([...expected], 200_000, 1));
});

test("a hundred thousand distinct counts are classes before the test is given up", { timeout: 10_000 }, () => {
  const tally = new CountTally();
  for (let value = 0; value < 200_000; value += 2) tally.add(value + 0.5);
  for (let value = 0; value < 200_000; value += 2) tally.add(value);
  expect(tally.classes(200_000, 1000).rows.length).toBe(200_000);
});
