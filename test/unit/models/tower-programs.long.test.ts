import { describe, expect, test } from "vitest";
import {
  groupingOfPoints,
  type TowerParts,
  towerGrouping,
  towerProblem,
} from "../../../models/tower-partition/build.js";
import { cliqueProgram } from "../../../models/tower-partition/clique-program.js";
import { evaluateTowers } from "../../../models/tower-partition/evaluate.js";
import { sizeWindows } from "../../../models/tower-partition/size-windows.js";
import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { bruteForceTowers, isAllowed, partitions, partitionValue } from "../../support/brute-force-towers.js";
import { groupsProgram } from "../../support/groups-program.js";
import { randomTowers } from "../../support/random-towers.js";

const q = (text: string) => Rational.parse(text);

const FOUR: TowerParts = {
  name: "four",
  features: ["a", "b", "c", "d"],
  towers: 2,
  sizeRatio: 1,
  strategy: "coherent",
  objective: "pairwise",
  load: null,
};

describe("towerGrouping", () => {
  // I(a, b) = 0.5, I(a, c) = 0.1, …: what is above the diagonal counts.
  const matrix = Float64Array.from([1, 0.5, 0.1, 0, 9, 1, 0.25, 1, 9, 9, 1, 0.75, 9, 9, 9, 1]);

  test("takes 1 − I of features that are to be alike, I of those that are not, squares for kmeans", () => {
    const tenth = Rational.fromNumber(0.1);
    const alike = ["0.5", tenth.toString(), "0.25", "0", "1", "0.75"].map(q);
    const apart = alike.map((value) => Rational.one.subtract(value));
    expect(towerGrouping(FOUR, matrix)).toMatchObject({ pairs: apart, share: "whole", clusters: 2 });
    expect(towerGrouping({ ...FOUR, strategy: "diverse" }, matrix).pairs).toEqual(alike);
    const shared = towerGrouping({ ...FOUR, objective: "kmeans" }, matrix);
    expect(shared).toMatchObject({ pairs: apart.map((value) => value.multiply(value)), share: "bySize" });
    expect(() => towerGrouping(FOUR, new Float64Array(9))).toThrow("a matrix of 4 × 4 was expected");
  });

  test("reads weights and ratios as they are written", () => {
    const load = { weights: [0.1, 0.2, 0.3, 0], ratio: 1 };
    const grouping = towerGrouping({ ...FOUR, load }, matrix);
    expect(grouping.load).toEqual({ weights: ["0.1", "0.2", "0.3", "0"].map(q), most: q("0.3") });
    // 0.1 + 0.2 is above 0.3 in doubles.
    expect(evaluateTowers(grouping, [0, 0, 1, 1]).violations).toEqual([]);
    expect(towerProblem({ ...FOUR, load }, matrix).load).toEqual({ weights: [1, 2, 3, 0], most: 3 });
    expect(towerGrouping({ ...FOUR, load: { ...load, ratio: null } }, matrix).load).toBeNull();
    const fine = { weights: [1e-300, 1, 1, 1], ratio: 1.5 };
    expect(towerProblem({ ...FOUR, load: fine }, matrix).load).toEqual({ weights: fine.weights, most: 2.25 });
  });

  test("the same in doubles", () => {
    const { distance, windows } = towerProblem(FOUR, matrix);
    expect([...distance]).toEqual([0, 0.5, 0.9, 1, 0.5, 0, 0.75, 0, 0.9, 0.75, 0, 0.25, 1, 0, 0.25, 0]);
    expect(windows).toEqual([{ least: 2, most: 2 }]);
  });

  test("of points: their squared distances, shared by size", () => {
    const grouping = groupingOfPoints(towerGrouping(FOUR, matrix), Float64Array.from([0, 0, 3, 4, 1, 1, 0, -2]), 2);
    expect(grouping.pairs).toEqual(["25", "2", "13", "4", "45", "10"].map(q));
    // Σ over groups of squares around the centre: 25/2 and 10/2.
    expect(evaluateTowers(grouping, [0, 0, 1, 1]).value).toEqual(q("17.5"));
  });

  test("says in words what a partition breaks", () => {
    const load = { weights: [1, 1, 1, 1], ratio: 1.25 };
    expect(evaluateTowers(towerGrouping({ ...FOUR, load }, matrix), [0, 0, 0, 1]).violations).toEqual([
      "tower 0 has 3 features, 1 too many: all towers have 2",
      "tower 1 has 1 features, 1 too few: all towers have 2",
      "tower 0 carries 3, 0.5 more than the 2.5 that it may",
    ]);
    const none = towerGrouping({ ...FOUR, towers: 3, sizeRatio: 1.5 }, matrix);
    expect(evaluateTowers(none, [0, 1, 2, 2]).violations[0]).toBe(
      "tower 0 has 1 features, and no sizes of all towers are within the size ratio",
    );
  });
});

test("windows hold the sizes within the ratio, and no others", () => {
  for (const ratio of [1, 1.2, 1.5, 2, 2.5, 3]) {
    for (let features = 1; features <= 8; features++) {
      for (let towers = 1; towers <= features; towers++) {
        const windows = sizeWindows(features, towers, ratio);
        for (const numbering of partitions(features, towers)) {
          const sizes = Array.from({ length: towers }, (_, t) => numbering.filter((tower) => tower === t).length);
          const fits = windows.some(({ least, most }) => sizes.every((size) => least <= size && size <= most));
          const parts = { ...FOUR, features: numbering.map((_, f) => `f${f}`), towers, sizeRatio: ratio };
          expect(fits).toBe(isAllowed(parts, numbering));
        }
      }
    }
  }
});

test("a partition is worth what the words of the problem say, and allowed where they allow it", () => {
  const random = seededRandom(7401);
  const seen = { allowed: 0, refused: 0 };
  for (let round = 0; round < 200; round++) {
    const { parts, interaction } = randomTowers(random, { features: 6 });
    const grouping = towerGrouping(parts, interaction);
    for (const numbering of partitions(parts.features.length, parts.towers)) {
      const { value, violations } = evaluateTowers(grouping, numbering);
      expect(value).toEqual(partitionValue(parts, interaction, numbering));
      const isFine = isAllowed(parts, numbering);
      expect(violations.length === 0).toBe(isFine);
      seen[isFine ? "allowed" : "refused"]++;
    }
  }
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(300);
});

describe("the explicit programs", () => {
  test("have the partitions as their points, at their value", () => {
    const random = seededRandom(7402);
    const seen = { points: 0, refused: 0 };
    for (let round = 0; round < 120; round++) {
      const { parts, interaction } = randomTowers(random, { features: 6 });
      const grouping = towerGrouping(parts, interaction);
      const { program, pointOf, recover } = cliqueProgram(grouping);
      for (const numbering of partitions(parts.features.length, parts.towers)) {
        let point: readonly Rational[];
        try {
          point = pointOf(numbering);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          expect(isAllowed(parts, numbering)).toBe(false);
          continue;
        }
        const { objective, violations } = evaluate(program, point);
        expect(violations.length === 0).toBe(isAllowed(parts, numbering));
        expect(objective).toEqual(evaluateTowers(grouping, numbering).value);
        if (violations.length === 0) expect(recover(point)).toEqual(numbering);
        seen[violations.length === 0 ? "points" : "refused"]++;
      }
    }
    expect(Math.min(seen.points, seen.refused)).toBeGreaterThan(50);
  });

  test("have the optimum of brute force", { timeout: 300_000 }, async () => {
    const random = seededRandom(7403);
    const seen = { solved: 0, infeasible: 0 };
    for (let round = 0; round < 30; round++) {
      const { parts, interaction } = randomTowers(random, { features: 6 });
      const grouping = towerGrouping(parts, interaction);
      const best = bruteForceTowers(parts, interaction);
      const clique = cliqueProgram(grouping);
      for (const program of [clique.program, groupsProgram(grouping)]) {
        const { verdict, point } = await solveExactly(program);
        expect(verdict?.status).toBe(best === null ? "infeasible" : "proved");
        expect(verdict?.value).toEqual(best?.value ?? null);
        if (program !== clique.program || point === null) continue;
        expect(evaluateTowers(grouping, clique.recover(point))).toMatchObject({ value: best?.value, violations: [] });
      }
      seen[best === null ? "infeasible" : "solved"]++;
    }
    expect(seen.solved).toBeGreaterThan(15);
    expect(seen.infeasible).toBeGreaterThan(0);
  });

  test("are not written out where there are too many groups", () => {
    const features = Array.from({ length: 40 }, (_, f) => `f${f}`);
    const grouping = towerGrouping({ ...FOUR, features, towers: 4 }, new Float64Array(1600));
    expect(() => groupsProgram(grouping)).toThrow("847660528 groups are too many to write out");
  });
});
