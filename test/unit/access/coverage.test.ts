import fc from "fast-check";
import { expect, test } from "vitest";
import { accessCurve } from "../../../src/access/access-curve.js";
import { coverageClasses } from "../../../src/access/known-classes.js";
import { integral, type PowerLaw } from "../../../src/access/power-law.js";
import type { CoverageAccess, CoveragePoint } from "../../../src/instance/access.js";
import { appearancesUpTo, brokenPromises, totalAppearances } from "./support.js";

/** Coverage curves through one to five points: densities fall from interval to interval, by little or by much. */
const coverages = fc
  .record({
    widths: fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 10_000_000 })), {
      minLength: 2,
      maxLength: 6,
    }),
    falls: fc.array(
      fc.oneof(fc.constant(1), fc.double({ min: 1e-3, max: 1, noNaN: true }), fc.constantFrom(1e-8, 0.999999)),
      { minLength: 6, maxLength: 6 },
    ),
    meanLength: fc.double({ min: 1e-3, max: 5000, noNaN: true }),
    isReadWhole: fc.boolean(),
  })
  .map(({ widths, falls, meanLength, isReadWhole }) => {
    const densities: number[] = [];
    for (const index of widths.keys())
      densities.push((densities[index - 1] ?? 1) * (index === 0 ? 1 : (falls[index] as number)));
    if (!isReadWhole) densities[densities.length - 1] = 0;
    const masses = widths.map((width, index) => width * (densities[index] as number));
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const points: CoveragePoint[] = [];
    let rows = 0;
    let mass = 0;
    for (const [index, width] of widths.slice(0, -1).entries()) {
      rows += width;
      mass += masses[index] as number;
      const isLast = index === widths.length - 2;
      points.push({ rows, share: isLast && !isReadWhole ? 1 : mass / total });
    }
    const access: CoverageAccess = { kind: "coverage", meanLength, points };
    return { access, rows: rows + (widths.at(-1) as number) };
  })
  .filter(({ access }) => access.points.every(({ share }, index) => share > (access.points[index - 1]?.share ?? 0)));

test("classes keep the total and the coverage at every point", () => {
  fc.assert(
    fc.property(coverages, ({ access, rows }) => {
      const classes = coverageClasses(access, rows);
      expect(brokenPromises(classes, rows)).toEqual([]);
      expect(Math.abs(totalAppearances(classes) / access.meanLength - 1)).toBeLessThan(1e-9);
      for (const point of access.points) {
        expect(Math.abs(appearancesUpTo(classes, point.rows) / access.meanLength - point.share)).toBeLessThan(1e-9);
      }
    }),
    { numRuns: 200 },
  );
});

test("one row between two large intervals does not carry the rounding of its share into them", () => {
  // Evenly read, but for the last bits of the shares: the row 8388609 seems to be read less than those after it.
  const points: CoveragePoint[] = [
    { rows: 5345270, share: 0.6320767729646918 },
    { rows: 8388608, share: 0.9919506917902738 },
    { rows: 8388609, share: 0.99195069272447 },
    { rows: 17004900, share: 0.9999999999999998 },
  ];
  const classes = coverageClasses({ kind: "coverage", meanLength: 1, points }, 17004913);
  for (const { rows, share } of points) expect(Math.abs(appearancesUpTo(classes, rows) - share)).toBeLessThan(1e-14);
  expect(Math.abs(totalAppearances(classes) - 1)).toBeLessThan(1e-14);
});

test("there are some ten thousand classes for any number of rows, and no list of the rows", () => {
  const access: CoverageAccess = { kind: "coverage", meanLength: 900, points: [{ rows: 1e6, share: 0.5 }] };
  expect(coverageClasses(access, 1e9).rows.length).toBeLessThan(16_000);
  expect(coverageClasses(access, 2 ** 53 - 1).rows.length).toBeLessThan(40_000);
});

test("the hottest rows are alone, and each has the integral over its own rank", () => {
  const access: CoverageAccess = { kind: "coverage", meanLength: 100, points: [{ rows: 50, share: 0.8 }] };
  const classes = coverageClasses(access, 1000);
  expect(classes.rows.every((count) => count === 1)).toBe(true);
  // p_1 = sqrt(1.6 · 20/950) and b = 1 − p_1/1.6: the first row has p_1 · 50^b / (1 − b).
  const knot = Math.sqrt((1.6 * 20) / 950);
  const power = knot / 1.6;
  expect(classes.appearances[0]).toBeCloseTo((knot * 50 ** (1 - power)) / power, 10);
});

const ends = (pieces: readonly PowerLaw[]): [number, number][] =>
  pieces.map(({ anchor, density, from, to, power }) => [
    density * (from / anchor) ** (power - 1),
    density * (to / anchor) ** (power - 1),
  ]);

test("the curve is continuous, with the geometric mean of both sides at a point", () => {
  const points = [
    { rows: 100, share: 0.4 },
    { rows: 1000, share: 0.7 },
  ];
  const pieces = accessCurve({ kind: "coverage", meanLength: 10, points }, 50_000);
  expect(pieces.map(({ from, to }) => [from, to])).toEqual(
    [
      [0, 100],
      [100, Math.sqrt(100 * 1000)],
      [Math.sqrt(100 * 1000), 1000],
      [1000, 50_000],
    ].map(([from, to]) => [expect.closeTo(from as number, 8), expect.closeTo(to as number, 8)]),
  );
  const values = ends(pieces);
  for (let k = 1; k < values.length; k++) expect(values[k]?.[0]).toBeCloseTo(values[k - 1]?.[1] as number, 12);
  expect(values[0]?.[1]).toBeCloseTo(Math.sqrt(0.04 * (3 / 900)), 12);
  expect(values[2]?.[1]).toBeCloseTo(Math.sqrt((3 / 900) * (3 / 49_000)), 12);
});

test("a third entry fixes the density at its point", () => {
  const points = [
    { rows: 100, share: 0.4, appearances: 0.03 },
    { rows: 1000, share: 1, appearances: 0.001 },
  ];
  const pieces = accessCurve({ kind: "coverage", meanLength: 10, points }, 50_000);
  const values = ends(pieces);
  expect(values[0]?.[1]).toBeCloseTo(0.03, 12);
  expect(values[1]?.[0]).toBeCloseTo(0.03, 12);
  expect(values[2]?.[1]).toBeCloseTo(0.001, 12);
  const between = pieces.slice(1, 3).reduce((sum, piece) => sum + integral(piece, piece.from, piece.to), 0);
  expect(between).toBeCloseTo(6, 10);
});

test.each([
  [
    "the share 1 before the last row: the rest is never read",
    [{ rows: 4, share: 1 }],
    10,
    [
      [4, 6],
      [2.5, 0],
    ],
  ],
  ["evenly read", [{ rows: 4, share: 0.4 }], 10, [[10], [1]]],
  ["one row that takes all", [{ rows: 1, share: 1 }], 1, [[1], [10]]],
  [
    "a point at the first and one at the last row",
    [
      { rows: 1, share: 0.5 },
      { rows: 2, share: 1 },
    ],
    2,
    [[2], [5]],
  ],
] as const)("%s", (_, points, rows, [counts, appearances]) => {
  const classes = coverageClasses({ kind: "coverage", meanLength: 10, points }, rows);
  expect(Array.from(classes.rows)).toEqual(counts);
  expect(Array.from(classes.appearances)).toEqual(appearances.map((value) => expect.closeTo(value, 12)));
});
