import { expect, test } from "vitest";
import { type WholeColumn, WholePoints } from "../../../src/solvers/whole-points.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";

const MANY = 10_000;

/** Whether any whole numbers keep all equations, by going through them. */
function isAny(wanted: readonly number[], columns: readonly WholeColumn[], next = 0): boolean {
  const column = columns[next];
  if (column === undefined) return wanted.every((left) => left === 0);
  for (let count = 0; count <= column.most; count++) {
    const left = wanted.map((own, row) => own - count * (column.values[column.indices.indexOf(row)] ?? 0));
    if (left.every((own) => own >= 0) && isAny(left, columns, next + 1)) return true;
  }
  return false;
}

test("whole numbers that keep all rows, where there are any", async () => {
  const points = await WholePoints.open();
  let found = 0;
  for (let seed = 0; seed < 60; seed++) {
    const draw = drawFrom(seed);
    const wanted = Array.from({ length: 2 }, () => draw.int(3, 14));
    const columns = Array.from(
      { length: 4 },
      (): WholeColumn => ({ most: 3, indices: [0, 1], values: [draw.int(0, 4), draw.int(0, 4)] }),
    );
    const rows = wanted.map((own): readonly [number, number] => [own, own]);
    const { point } = points.find(rows, columns, MANY);
    expect(point !== null, `seed ${seed}`).toBe(isAny(wanted, columns));
    if (point === null) continue;
    found++;
    wanted.forEach((own, row) => {
      expect(
        columns.reduce((sum, { values }, k) => sum + (values[row] as number) * Math.round(point[k] as number), 0),
      ).toBe(own);
    });
  }
  expect(found).toBeGreaterThan(5);
  expect(found).toBeLessThan(55);
});

test("rows between two sides, and columns without entries", async () => {
  const points = await WholePoints.open();
  const column: WholeColumn = { most: 5, indices: [0], values: [2] };
  const none: WholeColumn = { most: 5, indices: [], values: [] };
  expect(points.find([[3, 5]], [none, column], MANY).point?.[1]).toBe(2);
  expect(points.find([[3, 3]], [none, column], MANY).point).toBeNull();
});

test("it ends when it is told to", async () => {
  const points = await WholePoints.open();
  const draw = drawFrom(1);
  // Equations of many columns with large coefficients take long.
  const columns = Array.from(
    { length: 40 },
    (): WholeColumn => ({ most: 1, indices: [0, 1, 2, 3], values: Array.from({ length: 4 }, () => draw.int(1, 99)) }),
  );
  const rows = [0, 1, 2, 3].map((row): readonly [number, number] => {
    const half = Math.floor(columns.reduce((sum, { values }) => sum + (values[row] as number), 0) / 2);
    return [half, half];
  });
  let asked = 0;
  const { point } = points.find(rows, columns, 1e9, () => ++asked > 20);
  expect(point).toBeNull();
  expect(asked).toBeGreaterThan(20);
});
