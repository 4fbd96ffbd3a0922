import fc from "fast-check";
import { expect, test } from "vitest";
import { powerSum } from "../../../src/access/zipf-mandelbrot.js";
import { exactSum } from "./support.js";

const direct = (start: number, terms: number, exponent: number): number =>
  exactSum(Array.from({ length: terms }, (_, k) => Math.exp(-exponent * Math.log1p(k / start))));

test("the sum of its terms", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: 1e-6, max: 10, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true })),
      fc.integer({ min: 1, max: 5000 }),
      fc.oneof(
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 500, noNaN: true }),
        fc.constantFrom(0, 1, 2),
      ),
      (start, terms, exponent) => {
        const expected = direct(start, terms, exponent);
        expect(Math.abs(powerSum(start, terms, exponent) / expected - 1)).toBeLessThan(2e-13);
      },
    ),
    { numRuns: 300 },
  );
});

test("long sums against known values", () => {
  // The harmonic number of 10^9, and π²/6 less its tail: 1/n − 1/(2n²) + ….
  expect(powerSum(1, 1e9, 1)).toBeCloseTo(21.3004815023479, 11);
  expect(powerSum(1, 1e9, 2)).toBeCloseTo(Math.PI ** 2 / 6 - 1e-9, 13);
  expect(powerSum(7, 2 ** 53 - 1, 0)).toBe(2 ** 53 - 1);
});
