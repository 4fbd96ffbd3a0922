import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { classical } from "../../../../../src/problems/tower-partition/methods/embedding/classical.js";
import {
  EMBEDDING_METHODS,
  embed,
  randomPoints,
} from "../../../../../src/problems/tower-partition/methods/embedding/embed.js";
import {
  adam,
  guttmanTransform,
  smacof,
  stress,
} from "../../../../../src/problems/tower-partition/methods/embedding/stress.js";
import { distanceMatrix, MATRIX_KINDS } from "./support.js";

test("stress is the sum over pairs of squared differences", () => {
  const distance = Float64Array.of(0, 5, 1, 5, 0, 2, 1, 2, 0);
  // Distances of the points are 5, 3 and 4.
  const coordinates = Float64Array.of(0, 0, 3, 4, 3, 0);
  expect(stress(distance, coordinates)).toBe(0 + (3 - 1) ** 2 + (4 - 2) ** 2);
});

describe.each(MATRIX_KINDS)("the stress that Adam finds (%s)", (kind) => {
  test.each([
    { features: 9, starts: 100 },
    { features: 26, starts: 100 },
    { features: 40, starts: 30 },
  ])("is within a hundredth of the best of SMACOF from $starts starts ($features features)", ({ features, starts }) => {
    for (const seed of features < 40 ? [1, 2] : [1]) {
      const distance = distanceMatrix(kind, features, seed);
      const random = seededRandom(1000 + seed);
      let best = Number.POSITIVE_INFINITY;
      for (let start = 0; start < starts; start++) {
        best = Math.min(best, stress(distance, smacof(distance, randomPoints(features, 2, random))));
      }
      const found = embed(distance, { method: "adam", dimensions: 2, random: seededRandom(seed) });
      expect(found.stress).toBeLessThan(1.01 * best);
      expect(found.stress).toBe(stress(distance, found.coordinates));
    }
  });
});

test("Adam from a start is better than the start, and does not change it", () => {
  const distance = distanceMatrix("cosine", 12, 3);
  const start = randomPoints(12, 2, seededRandom(1));
  const before = start.slice();
  expect(stress(distance, adam(distance, start))).toBeLessThan(0.5 * stress(distance, start));
  expect(start).toEqual(before);
});

test("no Guttman transform lifts the stress", () => {
  for (const kind of MATRIX_KINDS) {
    const distance = distanceMatrix(kind, 15, 4);
    let coordinates = randomPoints(15, 3, seededRandom(2));
    let before = stress(distance, coordinates);
    for (let step = 0; step < 30; step++) {
      coordinates = guttmanTransform(distance, coordinates);
      const after = stress(distance, coordinates);
      expect(after).toBeLessThanOrEqual(before);
      before = after;
    }
  }
});

test("SMACOF is never worse than classical scaling, where it starts", () => {
  for (const kind of MATRIX_KINDS) {
    const distance = distanceMatrix(kind, 20, 5);
    const options = { dimensions: 2, random: seededRandom(3) };
    const { stress: least } = embed(distance, { method: "smacof", ...options });
    expect(least).toBeLessThanOrEqual(stress(distance, smacof(distance, classical(distance, 2))));
    expect(least).toBeLessThan(embed(distance, { method: "classical", ...options }).stress);
  }
});

describe.each(EMBEDDING_METHODS)("%s", (method) => {
  test("gives as many coordinates as asked for, also more than there are features", () => {
    const distance = distanceMatrix("uniform", 4, 6);
    for (const dimensions of [1, 2, 3, 6]) {
      const { coordinates } = embed(distance, { method, dimensions, random: seededRandom(1) });
      expect(coordinates).toHaveLength(4 * dimensions);
      expect(coordinates.every(Number.isFinite)).toBe(true);
    }
  });

  test("takes one feature, and features that are all alike", () => {
    for (const features of [1, 5]) {
      const found = embed(new Float64Array(features ** 2), { method, dimensions: 2, random: seededRandom(1) });
      expect(found.stress).toBeLessThan(1e-6);
    }
  });

  test("finds points where there are some", () => {
    const points = [0, 0, 1, 0, 1, 0.5, 0.2, 0.8, 0.6, 0.6];
    const distance = Float64Array.from({ length: 25 }, (_, at) => {
      const [i, j] = [Math.floor(at / 5), at % 5];
      const along = (k: number) => (points[2 * i + k] as number) - (points[2 * j + k] as number);
      return Math.hypot(along(0), along(1));
    });
    expect(embed(distance, { method, dimensions: 2, random: seededRandom(1) }).stress).toBeLessThan(1e-5);
  });

  test("gives something when told to stop at once", () => {
    const distance = distanceMatrix("cosine", 8, 7);
    const options = { method, dimensions: 2, shouldStop: () => true };
    const found = embed(distance, { ...options, random: seededRandom(1) });
    expect(found.stress).toBe(stress(distance, found.coordinates));
  });
});
