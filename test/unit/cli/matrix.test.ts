import { expect, test } from "vitest";
import { showMatrix } from "../../../src/terminal/matrix.js";

// biome-ignore format: a matrix
const matrix = [1, 0, 0.8, 0.1, 0, 1, 0.1, 1, 0.8, 0.1, 1, 0.5, 0.1, 1, 0.5, 1];

test("rows and columns in the order asked for, parted where asked, five shades off the diagonal", () => {
  expect(showMatrix(matrix, [0, 2, 1, 3], [2]).split("\n")).toEqual([
    "  ████│    ",
    "  ████│  ▒▒",
    "  ────┼────",
    "      │████",
    "    ▒▒│████",
    "  [ ][░][▒][▓][█]  0 … 1 off the diagonal",
  ]);
});

test("no boundary, and boundaries at the ends, are no line", () => {
  const plain = showMatrix(matrix, [0, 1, 2, 3]);
  expect(plain).not.toContain("│");
  expect(showMatrix(matrix, [0, 1, 2, 3], [0, 4])).toBe(plain);
  expect(plain.split("\n")[2]).toBe("  ██  ██▒▒");
});

test("all alike, and a single entry", () => {
  expect(showMatrix([1, 0.5, 0.5, 1], [0, 1]).split("\n").slice(0, 2)).toEqual(["  ██  ", "    ██"]);
  expect(showMatrix([1], [0])).toBe("  ██");
});

test("an order that is none of the matrix", () => {
  for (const order of [
    [0, 1, 2],
    [0, 1, 2, 2],
    [0, 1, 2, 4],
    [0, 1, 2, -1],
  ]) {
    expect(() => showMatrix(matrix, order)).toThrow(RangeError);
  }
});
