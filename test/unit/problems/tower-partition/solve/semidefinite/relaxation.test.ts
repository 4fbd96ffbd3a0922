import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { type Cut, pricedCut } from "../../../../../../src/problems/tower-partition/solve/semidefinite/cut.js";
import { relaxationOf } from "../../../../../../src/problems/tower-partition/solve/semidefinite/relaxation.js";
import {
  violatedCuts,
  violatedTriangles,
} from "../../../../../../src/problems/tower-partition/solve/semidefinite/separate.js";
import type { Grouping } from "../../../../../../src/program/grouping/grouping.js";

const SEARCH = { floors: [0, 1, 2], starts: 50, tolerance: 0.01, limit: 1000 };

function groupingOf(elements: number, clusters: number, share: Grouping["share"]): Grouping {
  return {
    ...{ name: "hand", clusters, share, windows: [], load: null },
    elements: Array.from({ length: elements }, (_, i) => `f${i}`),
    pairs: new Array<Rational>((elements * (elements - 1)) / 2).fill(Rational.one),
  };
}

/** Vectors of `groups` sizes in least … most that add up to all items. */
function sizesOf(elements: number, clusters: number, least: number, most: number): readonly number[][] {
  if (clusters === 0) return elements === 0 ? [[]] : [];
  const first = Array.from({ length: most - least + 1 }, (_, k) => least + k);
  return first.flatMap((size) => sizesOf(elements - size, clusters - 1, least, most).map((rest) => [size, ...rest]));
}

/** The relaxation's matrix of a partition into stretches of these sizes. */
function matrixOf(sizes: readonly number[], share: Grouping["share"]): Float64Array {
  const home = sizes.flatMap((size, t) => new Array<number>(size).fill(t));
  const n = home.length;
  const weight = (t: number) => (share === "whole" ? 1 : n / sizes.length / (sizes[t] as number));
  const entries = home.flatMap((a) => home.map((b) => (a === b ? weight(a) : 0)));
  return Float64Array.from(entries);
}

/** What a cut says of a matrix, from its definition. */
function cutValue({ floor, plus, minus }: Cut, matrix: Float64Array, n: number, weight: number): number {
  const sign = (element: number) => Number(plus.includes(element)) - Number(minus.includes(element));
  let value = floor * (floor + 1) * weight;
  for (let i = 0; i < n; i++) {
    value -= (2 * floor + 1) * sign(i) * (matrix[i * n + i] as number);
    for (let j = 0; j < n; j++) value += sign(i) * sign(j) * (matrix[i * n + j] as number);
  }
  return value;
}

test.each(["whole", "bySize"] as const)("every partition is in the relaxation: %s", (share) => {
  for (const [elements, clusters, least, most] of [
    [9, 3, 1, 5],
    [8, 3, 2, 3],
    [7, 2, 3, 4],
    [10, 4, 1, 7],
    [6, 3, 2, 2],
  ] as const) {
    const relaxation = relaxationOf(groupingOf(elements, clusters, share), {
      window: { least, most },
      together: [],
      apart: [],
    });
    if (relaxation === null) throw new Error("sizes fit");
    const close = (value: number, { low, high }: { low: number; high: number }) => {
      expect(value).toBeGreaterThan(low - 1e-9);
      expect(value).toBeLessThan(high + 1e-9);
    };
    const weights: number[] = [];
    for (const sizes of sizesOf(elements, clusters, least, most)) {
      const matrix = matrixOf(sizes, share);
      const rows = Array.from({ length: elements }, (_, i) =>
        matrix.subarray(i * elements, (i + 1) * elements).reduce((a, b) => a + b),
      );
      const diagonal = rows.map((_, i) => matrix[i * elements + i] as number);
      for (const value of rows) close(value, relaxation.row);
      for (const value of diagonal) close(value, relaxation.diagonal);
      close(
        rows.reduce((a, b) => a + b),
        relaxation.total,
      );
      close(
        diagonal.reduce((a, b) => a + b),
        relaxation.diagonalTotal,
      );
      weights.push(sizes.reduce((sum, size) => sum + (share === "whole" ? 1 : elements / clusters / size), 0));
      // cost · M · unit is the value: all pairs cost 1 here.
      const product = matrix.reduce((sum, entry, k) => sum + entry * (relaxation.cost[k] as number), 0);
      const value = sizes.reduce(
        (sum, size) => sum + ((size * (size - 1)) / 2) * (share === "whole" ? 1 : 1 / size),
        0,
      );
      expect(product * relaxation.unit).toBeCloseTo(value, 9);
      expect(violatedTriangles(matrix, relaxation, 1e-9, 10)).toEqual([]);
      const random = seededRandom(elements);
      expect(violatedCuts(matrix, relaxation, random, { ...SEARCH, starts: 5, tolerance: 1e-9 })).toEqual([]);
    }
    expect(relaxation.weight).toBeCloseTo(Math.max(...weights), 9);
  }
});

test("sizes that do not add up", () => {
  expect(
    relaxationOf(groupingOf(9, 3, "whole"), { window: { least: 4, most: 5 }, together: [], apart: [] }),
  ).toBeNull();
  expect(
    relaxationOf(groupingOf(9, 3, "whole"), { window: { least: 1, most: 2 }, together: [], apart: [] }),
  ).toBeNull();
});

test("cuts that are found are violated by what is said, and are rows of the relaxation", () => {
  const [n, clusters] = [12, 3];
  for (const [share, window] of [
    ["whole", { least: 4, most: 4 }],
    ["bySize", { least: 2, most: 6 }],
  ] as const) {
    const relaxation = relaxationOf(groupingOf(n, clusters, share), { window, together: [], apart: [] });
    if (relaxation === null) throw new Error("sizes fit");
    const random = seededRandom(5);
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        matrix[i * n + j] = i === j ? 1 : random.next();
        matrix[j * n + i] = matrix[i * n + j] as number;
      }
    }
    const triangles = violatedTriangles(matrix, relaxation, 0.01, 1000);
    const found = [...triangles, ...violatedCuts(matrix, relaxation, random, SEARCH)];
    expect(triangles.length).toBeGreaterThan(50);
    expect(found.length).toBeGreaterThan(triangles.length);
    for (const { cut, depth } of found) {
      const size = cut.plus.length + cut.minus.length;
      const value = cutValue(cut, matrix, n, relaxation.weight);
      expect(depth).toBeCloseTo(-value / Math.sqrt(size * (size - 1)), 9);
      expect(depth).toBeGreaterThan(0);
      const row = pricedCut(cut, relaxation);
      const inner = row.cells.reduce((sum, at, k) => sum + (row.weights[k] as number) * (matrix[at] as number), 0);
      expect(inner - row.least).toBeCloseTo(value, 9);
    }
    const depths = triangles.map(({ depth }) => depth);
    expect(depths).toEqual([...depths].sort((a, b) => b - a));
    expect(violatedTriangles(matrix, relaxation, 0.01, 7)).toEqual(triangles.slice(0, 7));
  }
});

test("all triangles are found", () => {
  const n = 7;
  const relaxation = relaxationOf(groupingOf(n, 2, "whole"), {
    window: { least: 3, most: 4 },
    together: [],
    apart: [],
  });
  if (relaxation === null) throw new Error("sizes fit");
  const matrix = new Float64Array(n * n).fill(0.5);
  for (let i = 0; i < n; i++) matrix[i * n + i] = 1;
  const set = (i: number, j: number, value: number) => {
    matrix[i * n + j] = value;
    matrix[j * n + i] = value;
  };
  set(2, 4, 1);
  set(2, 5, 0.9);
  set(4, 5, 0.1);
  // 1 + 0.9 − 0.1 > 1, and 1 + 0.5 − 0.5 = 1 is not.
  const found = violatedTriangles(matrix, relaxation, 0.01, 10).map(({ cut }) => cut);
  expect(found[0]).toEqual({ floor: 0, plus: [4, 5], minus: [2] });
  expect(found).toHaveLength(1);
});
