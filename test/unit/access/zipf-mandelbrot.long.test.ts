import fc from "fast-check";
import { expect, test } from "vitest";
import { zipfMandelbrotClasses } from "../../../src/access/zipf-mandelbrot.js";
import type { ZipfMandelbrotAccess } from "../../../src/instance/access.js";
import { brokenPromises, exactSum, totalAppearances } from "./support.js";

const laws = fc
  .record({
    rows: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20_000 })),
    part: fc.double({ min: 1e-6, max: 1, noNaN: true }),
    exponent: fc.oneof(
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.constantFrom(0, 1),
    ),
    shift: fc.oneof(fc.double({ min: -0.999, max: 2, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true })),
  })
  .map(({ rows, part, exponent, shift }) => {
    const access: ZipfMandelbrotAccess = { kind: "zipfMandelbrot", meanLength: part * rows, exponent, shift };
    return { access, rows };
  });

/** Every row's appearances, by bisection on the logarithm of c: another way than the one under test. */
function everyRow({ meanLength, exponent, shift }: ZipfMandelbrotAccess, rows: number): number[] {
  const at = (logarithm: number): number[] =>
    Array.from({ length: rows }, (_, k) => Math.min(1, Math.exp(logarithm - exponent * Math.log(k + 1 + shift))));
  let low = -1000;
  let high = exponent * Math.log(rows + shift) + 1;
  for (let step = 0; step < 70; step++) {
    const middle = (low + high) / 2;
    if (exactSum(at(middle)) < meanLength) low = middle;
    else high = middle;
  }
  return at(high);
}

test("total, order, and the number of rows", () => {
  fc.assert(
    fc.property(laws, ({ access, rows }) => {
      const classes = zipfMandelbrotClasses(access, rows);
      expect(brokenPromises(classes, rows)).toEqual([]);
      expect(Math.abs(totalAppearances(classes) / access.meanLength - 1)).toBeLessThan(1e-12);
      expect(classes.appearances[0]).toBeLessThanOrEqual(1 + 1e-12);
    }),
    { numRuns: 200 },
  );
});

test("every row is within a thousandth of the mean that stands for it", () => {
  fc.assert(
    fc.property(laws, ({ access, rows }) => {
      const classes = zipfMandelbrotClasses(access, rows);
      const exact = everyRow(access, rows);
      let rank = 0;
      let furthest = 0;
      for (const [index, count] of classes.rows.entries()) {
        const mean = classes.appearances[index] as number;
        for (const each of exact.slice(rank, rank + count)) {
          // Below 2^-53 of the accesses altogether, the last rows are one class.
          if (mean * count > access.meanLength * 2 ** -52) furthest = Math.max(furthest, Math.abs(mean / each - 1));
        }
        rank += count;
      }
      expect(furthest).toBeLessThan(1.001e-3);
    }),
    { numRuns: 30 },
  );
});

test("rows that reach 1 are capped, and the others make up the rest", () => {
  const classes = zipfMandelbrotClasses({ kind: "zipfMandelbrot", meanLength: 3, exponent: 2, shift: 0 }, 5);
  // c·(1/9 + 1/16 + 1/25) = 1 gives c = 4.678: rows 1 and 2 would be above 1.
  const c = 1 / (1 / 9 + 1 / 16 + 1 / 25);
  expect(Array.from(classes.rows)).toEqual([2, 1, 1, 1]);
  expect(Array.from(classes.appearances)).toEqual([1, c / 9, c / 16, c / 25].map((value) => expect.closeTo(value, 14)));
});

test("all rows at 1, and all alike", () => {
  const all = zipfMandelbrotClasses({ kind: "zipfMandelbrot", meanLength: 7, exponent: 2, shift: 0 }, 7);
  expect(all).toEqual({ rows: Float64Array.of(7), appearances: Float64Array.of(1) });
  const alike = zipfMandelbrotClasses({ kind: "zipfMandelbrot", meanLength: 7, exponent: 0, shift: 0 }, 1e9);
  expect(Array.from(alike.rows)).toEqual([1e9]);
  expect(alike.appearances[0]).toBeCloseTo(7e-9, 20);
});

test("a billion rows are some twenty thousand classes", () => {
  const access: ZipfMandelbrotAccess = { kind: "zipfMandelbrot", meanLength: 960.8, exponent: 1.2, shift: 23_650 };
  const classes = zipfMandelbrotClasses(access, 1e9);
  expect(brokenPromises(classes, 1e9)).toEqual([]);
  expect(classes.rows.length).toBeLessThan(20_000);
  expect(Math.abs(totalAppearances(classes) / 960.8 - 1)).toBeLessThan(1e-12);
});
