import { expect, test } from "vitest";
import { halvings } from "../../../../src/cost/neural/halvings.js";

test("a width is halved, then any of its parts, down to multiples of four", () => {
  expect(halvings(16, 8, 100)).toEqual([[16], [8, 8], [8, 4, 4], [4, 4, 4, 4]]);
});

test("not into more parts than are allowed", () => {
  expect(halvings(128, 1, 100)).toEqual([[128]]);
  expect(halvings(128, 3, 100)).toEqual([[128], [64, 64], [64, 32, 32]]);
});

test.each([4, 6, 12, 20])("a width of %i has no halves whose width is a multiple of four", (dim) => {
  expect(halvings(dim, 8, 100)).toEqual([[dim]]);
});

test("24 halves once: 12 has none", () => {
  expect(halvings(24, 8, 100)).toEqual([[24], [12, 12]]);
});

test("every list adds up to the width, is there once, and they come by rising number of parts", () => {
  const lists = halvings(128, 8, 1000);
  expect(new Set(lists.map(String)).size).toBe(lists.length);
  for (const widths of lists) {
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(128);
    expect(widths.every((width) => width % 4 === 0)).toBe(true);
    expect(widths.length).toBeLessThanOrEqual(8);
  }
  const counts = lists.map(({ length }) => length);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

test("no more lists than were asked for", () => {
  expect(halvings(2 ** 20, 1000, 50)).toHaveLength(50);
});
