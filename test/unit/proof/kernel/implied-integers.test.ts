import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { linearForm, makeProgram } from "../../../../src/program/program.js";
import { integerColumns } from "../../../../src/proof/kernel/implied-integers.js";

const whole = (value: number) => Rational.fromNumber(value);
const column = (name: string, integer: boolean, upper = whole(9)) => ({ name, lower: Rational.zero, upper, integer });

/** x integer, z continuous, and one row over both. */
function program(row: { x: string; z: string; upper: string | null; lower?: string }, zUpper = whole(9)) {
  return makeProgram({
    columns: [column("x", true), column("z", false, zUpper)],
    rows: [
      {
        name: "r",
        form: linearForm([
          [0, Rational.parse(row.x)],
          [1, Rational.parse(row.z)],
        ]),
        lower: row.lower === undefined ? null : Rational.parse(row.lower),
        upper: row.upper === null ? null : Rational.parse(row.upper),
      },
    ],
  });
}

test.each([
  ["a makespan: whole durations, coefficient −1", { x: "7", z: "-1", upper: "0" }, true],
  ["coefficients and side all multiples of z's", { x: "6", z: "-3", upper: "12" }, true],
  ["fractions that are multiples all the same", { x: "3/2", z: "-1/2", upper: "5/2" }, true],
  ["a coefficient that is not a multiple", { x: "7", z: "-2", upper: "0" }, false],
  ["a side that is not a multiple", { x: "6", z: "-3", upper: "4" }, false],
  ["the lower side counts too", { x: "1", z: "1", upper: null, lower: "1/2" }, false],
])("%s", (_, row, expected) => {
  expect(integerColumns(program(row))).toEqual([true, expected]);
});

test("a fractional bound of its own keeps a column continuous", () => {
  expect(integerColumns(program({ x: "1", z: "-1", upper: "0" }, Rational.of(7n, 2n)))).toEqual([true, false]);
});

test("two continuous columns in a row are not implied", () => {
  const shared = makeProgram({
    columns: [column("x", true), column("y", false), column("z", false)],
    rows: [
      {
        name: "r",
        form: linearForm([0, 1, 2].map((j) => [j, Rational.one])),
        lower: null,
        upper: whole(5),
      },
    ],
  });
  expect(integerColumns(shared)).toEqual([true, false, false]);
});

test("a continuous column in no row, with whole bounds, is implied", () => {
  expect(integerColumns(makeProgram({ columns: [column("z", false)], rows: [] }))).toEqual([true]);
});
