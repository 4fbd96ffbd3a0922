import { describe, expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { solveGrouping } from "../../src/optimize/tower-partition/solve.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { randomTowers } from "../support/random-towers.js";

const ask = { starts: [], gap: Rational.zero, timeLimitSeconds: 60 };

describe("on 400 random tower instances of up to nine features", () => {
  const random = seededRandom(20260301);
  const cases = Array.from({ length: 400 }, (_, seed) => ({ seed, ...randomTowers(random) }));

  test.each(cases)("case $seed: the proved optimum is that of all partitions", async ({ seed, parts, interaction }) => {
    const expected = bruteForceTowers(parts, interaction);
    const { verdict, numbering } = await solveGrouping(towerGrouping(parts, interaction), { ...ask, seed });
    expect(verdict?.status).toBe(expected === null ? "infeasible" : "proved");
    expect(verdict?.value?.toString()).toBe(expected?.value.toString());
    expect(verdict?.bound?.toString()).toBe(expected?.value.toString());
    expect(numbering === null).toBe(expected === null);
  });

  test("they are of every kind", () => {
    const kinds = new Set(cases.map(({ parts: { objective, strategy } }) => `${objective} ${strategy}`));
    expect(kinds.size).toBe(4);
    expect(cases.filter(({ parts }) => parts.load !== null && parts.load.ratio !== null).length).toBeGreaterThan(80);
    expect(cases.filter(({ parts }) => parts.sizeRatio > 1).length).toBeGreaterThan(150);
    const impossible = cases.filter(({ parts, interaction }) => bruteForceTowers(parts, interaction) === null);
    expect(impossible.length).toBeGreaterThan(20);
    expect(impossible.filter(({ parts }) => parts.load !== null).length).toBeGreaterThan(5);
  });
});
