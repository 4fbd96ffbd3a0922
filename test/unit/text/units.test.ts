import { expect, test } from "vitest";
import { memoryPrice } from "../../../src/text/memory-price.js";
import { askedGapText, relativeGap, roundedUp, some } from "../../../src/text/units.js";

test.each([
  [0, "0"],
  [2.44e-7, "2.4e-7"],
  [9.9e-5, "9.9e-5"],
  [1e-4, "0.010 %"],
  [2.84e-3, "0.28 %"],
  [0.0123, "1.2 %"],
  [1, "100.0 %"],
])("a gap of %f is %s", (gap, text) => expect(relativeGap(gap)).toBe(text));

test.each([
  [0, "0"],
  [1e-9, "1e-9"],
  [0.05, "5e-2"],
])("an asked gap of %f is %s", (gap, text) => expect(askedGapText(gap)).toBe(text));

test("a number goes with the singular or the plural", () => {
  expect([some(1, "table"), some(0, "table"), some(1200, "table"), some(2, "class", "classes")]).toEqual([
    "1 table",
    "0 tables",
    "1,200 tables",
    "2 classes",
  ]);
});

test.each([
  [2 ** 33, "−2.000 ms per extra GiB"],
  [2 ** 30 - 1, "−0.001953 ms per extra MiB"],
  [2 ** 19, "−1.9e-6 ms per extra KiB"],
])("the price of memory is for a unit that a budget of %d bytes holds", (budget, text) => {
  expect(memoryPrice(-0.002, budget)).toBe(text);
});

test.each([
  [0, 0],
  [5.04, 5.1],
  [5.1, 5.1],
  [9.96, 10],
  [4.917969e-7, 5e-7],
  [Number.MIN_VALUE, Number.MIN_VALUE],
])("%s is shown as no less: %s", (value, shown) => {
  expect(roundedUp(value, 2)).toBe(shown);
});
