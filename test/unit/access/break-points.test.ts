import { expect, test } from "vitest";
import { breakPoints, classesAfter, expectedDistinctRows } from "../../../src/access/break-points.js";
import { histogramClasses, knownClasses } from "../../../src/access/known-classes.js";

const classesOf = (bins: readonly (readonly [number, number])[]) => histogramClasses({ kind: "histogram", bins });

test("break-points are where classes end, with their share; the end of the table is none", () => {
  const classes = classesOf([
    [90, 1],
    [2, 30],
    [8, 5],
  ]);
  expect(breakPoints(classes, 9)).toEqual([
    { rows: 2, share: 60 / 190 },
    { rows: 10, share: 100 / 190 },
  ]);
});

test("the end of the rows that are read is one, and takes all; a table that is never read has none", () => {
  expect(
    breakPoints(
      classesOf([
        [3, 0.1],
        [7, 0],
      ]),
      9,
    ),
  ).toEqual([{ rows: 3, share: 1 }]);
  expect(breakPoints(classesOf([[7, 0]]), 9)).toEqual([]);
  expect(breakPoints(classesOf([[7, 2]]), 9)).toEqual([]);
});

test("of more points than are asked for those stay that the curve bends at most", () => {
  const classes = classesOf([
    [1, 100],
    [1, 99],
    [1, 98],
    [97, 1],
  ]);
  expect(breakPoints(classes, 1).map(({ rows }) => rows)).toEqual([3]);
  const law = knownClasses({ kind: "zipfMandelbrot", meanLength: 1, exponent: 1.2, shift: 0 }, 100_000);
  const [few, more] = [breakPoints(law, 4), breakPoints(law, 8)];
  expect(few).toHaveLength(4);
  expect(more).toHaveLength(8);
  // Insertion is greedy: the first four are among the eight, and all are on the curve in rising order.
  for (const point of few) expect(more).toContainEqual(point);
  for (const [k, { rows, share }] of more.entries()) {
    expect(rows).toBeGreaterThan(more[k - 1]?.rows ?? 0);
    expect(share).toBeGreaterThan(more[k - 1]?.share ?? 0);
  }
});

test("the rest of a table has the classes after the hot rows", () => {
  const rest = classesAfter(
    classesOf([
      [2, 30],
      [8, 5],
      [90, 1],
    ]),
    5,
  );
  expect([...rest.rows]).toEqual([5, 90]);
  expect([...rest.appearances]).toEqual([5, 1]);
});

test("distinct rows are those of counting all outcomes of a few accesses", () => {
  const classes = classesOf([
    [1, 6],
    [2, 2],
    [1, 0],
  ]);
  const shares = [0.6, 0.2, 0.2];
  for (const from of [0, 1, 2]) {
    let expected = 0;
    // Three accesses: 27 outcomes.
    for (let outcome = 0; outcome < 27; outcome++) {
      const rows = [outcome % 3, Math.floor(outcome / 3) % 3, Math.floor(outcome / 9)];
      const chance = rows.reduce((product, row) => product * (shares[row] as number), 1);
      expected += chance * new Set(rows.filter((row) => row >= from)).size;
    }
    expect(expectedDistinctRows(classes, 3, from)).toBeCloseTo(expected, 12);
  }
  expect(expectedDistinctRows(classes, 0)).toBe(0);
  expect(expectedDistinctRows(classesOf([[1, 1]]), 5)).toBe(1);
});
