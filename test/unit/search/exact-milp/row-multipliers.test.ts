import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { linearForm, makeProgram } from "../../../../src/program/program.js";
import { lagrangianBound, type Multipliers } from "../../../../src/proof/kernel/bound.js";
import { SearchSpace } from "../../../../src/search/branch-and-bound/space.js";
import { multipliersOf, rowSizes } from "../../../../src/search/exact-milp/row-multipliers.js";

const of = (value: number) => Rational.fromNumber(value);

test("multipliers of few digits prove nearly what all digits do, beside a row of large coefficients and over wide columns", () => {
  const wide = Array.from({ length: 20 }, (_, j) => ({
    ...{ name: `x${j}`, lower: Rational.zero, upper: of(1e6), integer: false },
  }));
  const program = makeProgram({
    name: "wide",
    columns: [...wide, { name: "y", lower: Rational.zero, upper: of(1), integer: true }],
    rows: [
      { name: "sum", form: linearForm(wide.map((_, j) => [j, of(j + 3)] as const)), lower: of(5e7), upper: null },
      { name: "large", form: linearForm([[20, of(1e7)] as const]), lower: of(3e6), upper: null },
    ],
    objective: {
      sense: "minimize",
      form: linearForm([...wide.map((_, j) => [j, of((j + 3) / 7)] as const), [20, of(4e6)] as const]),
    },
  });
  const space = SearchSpace.of(program);
  const duals = Float64Array.of(1 / 7, 0.4);
  const { multipliers, fine } = multipliersOf(space, duals, 1, (row) => row, rowSizes(space), 5e7 / 7 + 4e6);
  const boundOf = (by: Multipliers) => lagrangianBound(space.view, space.box, by).bound?.toNumber() ?? Number.NaN;
  expect(boundOf(fine())).toBeCloseTo(5e7 / 7 + 4e6, 0);
  expect(boundOf(multipliers) / boundOf(fine())).toBeGreaterThan(1 - 1e-6);
  const digits = (by: Multipliers) => [...by.values()].map((value) => `${value}`.length).reduce((a, b) => a + b);
  expect(digits(multipliers)).toBeLessThan(0.7 * digits(fine()));
});
