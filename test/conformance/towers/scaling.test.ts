import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/exact/random.js";
import { classical } from "../../../src/problems/tower-partition/methods/embedding/classical.js";
import {
  EMBEDDING_METHODS,
  embed,
  randomPoints,
} from "../../../src/problems/tower-partition/methods/embedding/embed.js";
import { guttmanTransform, smacof, stress } from "../../../src/problems/tower-partition/methods/embedding/stress.js";

/*
 * Cases of scikit-learn: sklearn/manifold/tests/test_mds.py (commit 0045637c6fd3653e2966b2960fd06774bf13c1b5) and
 * test_classical_mds.py (commit 099911389c7552c4da20978066ea0fa1dc7a468d). Matrices that are not symmetric or not square, which
 * those refuse, are refused where they are read.
 */

/** Borg and Groenen, Modern multidimensional scaling, p. 154. */
const BORG = Float64Array.of(0, 5, 3, 4, 5, 0, 2, 2, 3, 2, 0, 1, 4, 2, 1, 0);
const BORG_START = Float64Array.of(-0.266, -0.539, 0.451, 0.252, 0.016, -0.238, -0.2, 0.524);

const SQUARE = [1, 1, 1, 4, 1, 5, 3, 3];

test("test_smacof: one step from the book's start", () => {
  const step = guttmanTransform(BORG, BORG_START);
  const expected = [-1.415, -2.471, 1.633, 1.107, 0.249, -0.067, -0.468, 1.431];
  for (const [k, x] of expected.entries()) expect(Math.abs((step[k] as number) - x)).toBeLessThan(0.0015);
  expect(stress(BORG, step)).toBeCloseTo(0.5827562182604472, 12);
});

test("test_smacof: the least stress of many starts (value derived by us)", () => {
  const random = seededRandom(1);
  const stresses = Array.from({ length: 50 }, () => stress(BORG, smacof(BORG, randomPoints(4, 2, random))));
  expect(Math.min(...stresses)).toBeCloseTo(0.017395074470633595, 6);
  // Distances there are up to 5, so that Adam's steps are small; it gets there all the same.
  const { stress: found } = embed(BORG, { method: "adam", dimensions: 2, random });
  expect(found).toBeCloseTo(0.017395074470633595, 6);
});

test("test_mds_recovers_true_data", () => {
  const found = embed(distancesOf(SQUARE, 2), { method: "smacof", dimensions: 2, random: seededRandom(1) });
  expect(found.stress).toBeLessThan(1e-6);
});

test("test_returned_stress: the stress is that of the coordinates returned", () => {
  const distance = distancesOf(SQUARE, 2);
  for (const method of EMBEDDING_METHODS) {
    const found = embed(distance, { method, dimensions: 1, random: seededRandom(1) });
    const between = distancesOf([...found.coordinates], 1);
    const sum = between.reduce((total, d, at) => total + (d - (distance[at] as number)) ** 2, 0);
    expect(found.stress).toBeCloseTo(sum / 2, 10);
    expect(found.stress).toBeGreaterThan(0.1);
  }
});

test("test_convergence_does_not_depend_on_scale", () => {
  const distance = distancesOf([...SQUARE, 7, 0, 2, 9], 2);
  const start = randomPoints(6, 1, seededRandom(2));
  const base = smacof(distance, start);
  for (const scale of [128, 1 / 128]) {
    const scaled = smacof(
      distance.map((d) => d * scale),
      start.map((x) => x * scale),
    );
    expect(scaled).toEqual(base.map((x) => x * scale));
  }
});

test("test_classical_mds_equivalent_to_pca: the scores of iris, up to signs", () => {
  const iris: { readonly flowers: readonly (readonly number[])[] } = JSON.parse(
    readFileSync(new URL("fixtures/iris.json", import.meta.url), "utf8"),
  );
  const flowers = iris.flowers.flat();
  const coordinates = classical(distancesOf(flowers, 4), 4);
  const column = (values: ArrayLike<number>, k: number) =>
    Array.from({ length: 150 }, (_, i) => values[4 * i + k] as number);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0);
  const columns = [0, 1, 2, 3].map((k) => column(coordinates, k));
  const singular = [25.09996044218386, 6.013147382308735, 3.413680639192098, 1.8845235082226928];
  for (const [k, own] of columns.entries()) {
    expect(Math.sqrt(dot(own, own))).toBeCloseTo(singular[k] as number, 9);
    for (const other of columns.slice(0, k)) expect(dot(own, other)).toBeCloseTo(0, 9);
  }
  // Principal scores are the centred data, turned: they have the same inner products.
  const centred = [0, 1, 2, 3].map((k) => {
    const values = column(flowers, k);
    const mean = values.reduce((sum, x) => sum + x, 0) / 150;
    return values.map((x) => x - mean);
  });
  const inner = (some: readonly (readonly number[])[], i: number, j: number) =>
    some.reduce((sum, values) => sum + (values[i] as number) * (values[j] as number), 0);
  for (const [i, j] of [
    [0, 1],
    [3, 77],
    [50, 149],
    [120, 120],
  ] as const) {
    expect(inner(columns, i, j)).toBeCloseTo(inner(centred, i, j), 9);
  }
});

function distancesOf(coordinates: readonly number[], dimensions: number): Float64Array {
  const count = coordinates.length / dimensions;
  return Float64Array.from({ length: count * count }, (_, at) => {
    const [i, j] = [Math.floor(at / count), at % count];
    return Math.hypot(
      ...Array.from({ length: dimensions }, (_, k) => {
        return (coordinates[i * dimensions + k] as number) - (coordinates[j * dimensions + k] as number);
      }),
    );
  });
}
