import { expect, test } from "vitest";
import { Simplex } from "../../../../src/search/simplex/simplex.js";

/** min Σ x over groups of three items, each in one group, with a way out at 10 for each item. */
function pairs(): Simplex {
  const out = [0, 1, 2].map((row) => ({ cost: 10, rows: [row], values: [1] }));
  const simplex = new Simplex([1, 1, 1], out, [0, 1, 2]);
  for (const rows of [
    [0, 1],
    [0, 2],
    [1, 2],
  ]) {
    simplex.addColumn({ cost: 1, rows, values: [1, 1] });
  }
  return simplex;
}

test("columns added make the optimum less, costs changed move it", () => {
  const simplex = pairs();
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(1.5, 12);
  expect([...simplex.values()]).toEqual([0, 0, 0, 0.5, 0.5, 0.5]);
  expect([...simplex.prices()]).toEqual([0.5, 0.5, 0.5]);
  simplex.addColumn({ cost: 1.2, rows: [0, 1, 2], values: [1, 1, 1] });
  expect(simplex.columnCount).toBe(7);
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(1.2, 12);
  simplex.setCost(6, 3);
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(1.5, 12);
});

test("a row added cuts the optimum off; its price is not above zero", () => {
  const simplex = pairs();
  simplex.solve();
  expect(simplex.rowCount).toBe(3);
  simplex.addRow({ columns: [3, 4, 5], values: [1, 1, 1], side: 1 });
  expect(simplex.rowCount).toBe(4);
  expect(simplex.solve()).toBe(true);
  // One pair, and the third item at 10.
  expect(simplex.objective).toBeCloseTo(11, 12);
  const prices = simplex.prices();
  expect(prices).toHaveLength(4);
  expect(prices[3]).toBeCloseTo(-19, 12);
  expect(
    simplex
      .values()
      .subarray(3)
      .reduce((sum, value) => sum + value),
  ).toBeCloseTo(1, 12);
});

test("a column that comes after a row may be in it", () => {
  const simplex = pairs();
  simplex.solve();
  simplex.addRow({ columns: [3, 4, 5], values: [1, 1, 1], side: 1 });
  simplex.addColumn({ cost: 2, rows: [0, 1, 2, 3], values: [1, 1, 1, 2] });
  simplex.addColumn({ cost: 4, rows: [0, 1, 2, 3], values: [1, 1, 1, 1] });
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(4, 12);
});

test("rows without a hold on the basis are dropped, and those behind them move up", () => {
  const simplex = pairs();
  simplex.solve();
  simplex.addRow({ columns: [3, 4], values: [1, 1], side: 5 });
  simplex.addRow({ columns: [3, 4, 5], values: [1, 1, 1], side: 1 });
  expect(simplex.isLoose(3)).toBe(false);
  simplex.solve();
  expect([0, 1, 2, 3, 4].map((row) => simplex.isLoose(row))).toEqual([false, false, false, true, false]);
  const { objective } = simplex;
  const before = simplex.prices();
  expect(() => simplex.dropRows([3, 4])).toThrow(new RangeError("row 4 holds the basis in place"));
  simplex.dropRows([3]);
  expect(simplex.rowCount).toBe(4);
  expect(simplex.columnCount).toBe(6);
  expect(simplex.objective).toBeCloseTo(objective, 12);
  expect(simplex.prices()[3]).toBeCloseTo(before[4] as number, 12);
  // The row that moved up is the one that new columns are in.
  simplex.addColumn({ cost: 0, rows: [0, 1, 2, 3], values: [1, 1, 1, 1.5] });
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(10, 12);
});

test("begins from a basis that is not feasible, or none at all", () => {
  const columns = [
    { cost: 1, rows: [0, 1], values: [1, 1] },
    { cost: 2, rows: [0], values: [1] },
    { cost: 3, rows: [1], values: [-1] },
    { cost: 5, rows: [1], values: [1] },
  ];
  for (const basis of [
    [1, 2],
    [1, 3],
    [1, 1],
  ]) {
    const simplex = new Simplex([1, 3], columns, basis);
    expect(simplex.solve()).toBe(true);
    expect(simplex.objective).toBeCloseTo(11, 12);
  }
});

test("gives up where there is no least value or no feasible point, and goes on where that has changed", () => {
  const simplex = new Simplex([1], [{ cost: 1, rows: [0], values: [1] }], [0]);
  simplex.addColumn({ cost: -2, rows: [0], values: [-1] });
  expect(simplex.solve()).toBe(false);
  simplex.setCost(1, -1);
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBe(1);
  simplex.addRow({ columns: [0, 1], values: [1, -1], side: 0.5 });
  expect(simplex.solve()).toBe(false);
  simplex.addColumn({ cost: 7, rows: [0], values: [2] });
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(2.25, 12);
});

test("stops when it is asked to, and is where it was", () => {
  const simplex = pairs();
  expect(simplex.solve(() => true)).toBe(false);
  expect(simplex.objective).toBe(30);
  let asked = 0;
  expect(simplex.solve(() => ++asked > 1)).toBe(false);
  expect(simplex.objective).toBe(11);
  expect(simplex.solve()).toBe(true);
});

test("gives up on numbers that are not finite, and is where it was", () => {
  const simplex = pairs();
  simplex.solve();
  simplex.setCost(0, Number.POSITIVE_INFINITY);
  expect(simplex.solve()).toBe(false);
  simplex.setCost(0, 10);
  expect(simplex.solve()).toBe(true);
  simplex.addColumn({ cost: 1, rows: [0, 1], values: [Number.POSITIVE_INFINITY, 1] });
  expect(simplex.solve()).toBe(false);
  expect(simplex.objective).toBeCloseTo(1.5, 12);
  expect([...simplex.prices()]).toEqual([0.5, 0.5, 0.5]);
});

test("Beale's program, on which the textbook's rule cycles, is solved", () => {
  // min −3/4·x₁ + 150·x₂ − 1/50·x₃ + 6·x₄ (Beale, Naval Research Logistics Quarterly 2, 1955).
  const slack = (row: number) => ({ cost: 0, rows: [row], values: [1] });
  const simplex = new Simplex(
    [0, 0, 1],
    [
      slack(0),
      slack(1),
      slack(2),
      { cost: -0.75, rows: [0, 1], values: [0.25, 0.5] },
      { cost: 150, rows: [0, 1], values: [-60, -90] },
      { cost: -0.02, rows: [0, 1, 2], values: [-1 / 25, -1 / 50, 1] },
      { cost: 6, rows: [0, 1], values: [9, 3] },
    ],
    [0, 1, 2],
  );
  expect(simplex.solve()).toBe(true);
  expect(simplex.objective).toBeCloseTo(-0.05, 12);
});
