import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { TowerProblem } from "../../../models/tower-partition/problem.js";
import { sizeWindows } from "../../../models/tower-partition/size-windows.js";
import { descentProblem, partitionValue } from "../../../src/problems/tower-partition/methods/descent/limits.js";
import { TOWER_HEURISTICS } from "../../../src/problems/tower-partition/methods/index.js";

/** Source is in the file. */
interface Library {
  readonly instances: readonly {
    readonly name: string;
    readonly groups: number;
    readonly optimum: number;
    /** Row i: to i+1, i+2, … */
    readonly distances: readonly (readonly number[])[];
  }[];
}

const library: Library = JSON.parse(readFileSync(new URL("fixtures/mdgplib.json", import.meta.url), "utf8"));

test("the naive assignment of 26 features to 8 towers (DMT, section 5.2.3)", () => {
  const result = TOWER_HEURISTICS.strided(problemOf(new Float64Array(26 * 26), 8), { seed: 0 });
  const numbering = result.kind === "plan" ? result.labels : [];
  const towers = Array.from({ length: 8 }, (_, tower) => numbering.flatMap((own, f) => (own === tower ? [f] : [])));
  expect(towers).toEqual([
    [0, 8, 16, 24],
    [1, 9, 17, 25],
    [2, 10, 18],
    [3, 11, 19],
    [4, 12, 20],
    [5, 13, 21],
    [6, 14, 22],
    [7, 15, 23],
  ]);
});

/*
 * anticlust (commit a249450f4ca96f6ee1db9bdf513b43342d7a750e, inst/tinytest/test-optimal-clustering.R) refuses groups
 * of unequal sizes; here sizes may differ by one.
 */
test("twelve features in five towers have sizes of two and three", () => {
  const distance = Float64Array.from({ length: 144 }, (_, at) => (Math.floor(at / 12) === at % 12 ? 0 : 0.5));
  for (const method of Object.values(TOWER_HEURISTICS)) {
    const result = method(problemOf(distance, 5), { seed: 1 });
    const numbering = result.kind === "plan" ? result.labels : [];
    const sizes = [0, 1, 2, 3, 4].map((tower) => numbering.filter((own) => own === tower).length);
    expect(sizes.toSorted()).toEqual([2, 2, 2, 3, 3]);
  }
});

describe("maximally diverse grouping", () => {
  test.each(library.instances)("swap reaches the proved optimum of $name", ({ groups, optimum, distances }) => {
    const count = distances.length + 1;
    const largest = Math.max(...distances.flat());
    // As large as possible is as small as possible of what is missing to the largest.
    const missing = new Float64Array(count * count);
    distances.forEach((row, i) => {
      row.forEach((d, k) => {
        const j = i + 1 + k;
        missing[i * count + j] = largest - d;
        missing[j * count + i] = largest - d;
      });
    });
    const problem = problemOf(missing, groups);
    const result = TOWER_HEURISTICS.swap(problem, { seed: 1, restarts: 200 });
    const value = result.kind === "plan" ? partitionValue(descentProblem(problem), result.labels) : Number.NaN;
    const size = count / groups;
    expect(largest * groups * ((size * (size - 1)) / 2) - value).toBeCloseTo(optimum, 6);
  });
});

function problemOf(distance: Float64Array, towers: number): TowerProblem {
  const count = Math.sqrt(distance.length);
  return {
    features: Array.from({ length: count }, (_, i) => `f${i}`),
    towers,
    objective: "pairwise",
    distance,
    windows: sizeWindows(count, towers, 1),
    load: null,
  };
}
