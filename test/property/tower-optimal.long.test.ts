import { describe, expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { solveGrouping } from "../../src/problems/tower-partition/solve/solve.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { leastByEnumeration } from "../support/complete-enumeration.js";
import { drawsOf, someOf } from "../support/draws.js";
import { randomTowers } from "../support/random-towers.js";

const ask = { starts: [], gap: Rational.zero, timeLimitSeconds: 60 };

const draws = drawsOf(400, 20_260_301);

describe(`on ${draws.amount} random tower instances of up to nine features`, () => {
  const random = seededRandom(draws.seed);
  const cases = Array.from({ length: draws.amount }, (_, seed) => ({ seed, ...randomTowers(random) }));

  test.each(cases)("case $seed: the proved optimum is that of all partitions", async ({ seed, parts, interaction }) => {
    const expected = bruteForceTowers(parts, interaction);
    const { verdict, labels: numbering } = await solveGrouping(towerGrouping(parts, interaction), { ...ask, seed });
    expect(verdict?.status).toBe(expected === null ? "infeasible" : "proved");
    expect(verdict?.value?.toString()).toBe(expected?.value.toString());
    expect(verdict?.bound?.toString()).toBe(expected?.value.toString());
    expect(numbering === null).toBe(expected === null);
  });

  test("they are of every kind", () => {
    const kinds = new Set(cases.map(({ parts: { objective, strategy } }) => `${objective} ${strategy}`));
    expect(kinds.size).toBe(4);
    expect(cases.filter(({ parts }) => parts.load !== null && parts.load.ratio !== null).length).toBeGreaterThanOrEqual(
      draws.atLeast(81),
    );
    expect(cases.filter(({ parts }) => parts.sizeRatio > 1).length).toBeGreaterThanOrEqual(draws.atLeast(151));
    const impossible = cases.filter(({ parts, interaction }) => bruteForceTowers(parts, interaction) === null);
    expect(impossible.length).toBeGreaterThanOrEqual(draws.atLeast(21));
    expect(impossible.filter(({ parts }) => parts.load !== null).length).toBeGreaterThanOrEqual(draws.atLeast(6));
  });
});

describe("of 16 to 22 features, the optimum is that of going through all sets", () => {
  const random = seededRandom(77);
  // Features, towers, size ratio.
  const shapes: readonly (readonly [number, number, number])[] = [
    [16, 2, 1],
    [16, 2, 2],
    [16, 3, 1],
    [16, 4, 2],
    [17, 5, 1],
    [18, 6, 1],
    [18, 9, 1],
    [18, 12, 2],
    [19, 7, 1],
    [20, 5, 1],
    [20, 10, 1],
    [21, 2, 1],
    [21, 7, 1],
    [22, 11, 1],
  ];
  const cases = shapes.flatMap(([features, towers, sizeRatio]) =>
    (["pairwise", "kmeans"] as const).map((objective) => ({ features, towers, sizeRatio, objective })),
  );

  test.each(someOf(cases, 8))("$features in $towers, ratio $sizeRatio, $objective", async (shape) => {
    const { features, towers, sizeRatio, objective } = shape;
    const home = Array.from({ length: features }, () => random.integer(4));
    const steps = new Array<number>(features * features).fill(0);
    for (let j = 0; j < features; j++) {
      for (let i = 0; i < j; i++) {
        // D in 1024ths, so that all sums below are exact.
        const distance = (home[i] === home[j] ? 100 : 400) + random.integer(600);
        steps[i * features + j] = distance;
        steps[j * features + i] = distance;
      }
    }
    const grouping = towerGrouping(
      {
        ...{ name: "whole", features: Array.from({ length: features }, (_, i) => `f${i}`), towers, sizeRatio },
        ...{ strategy: "diverse", objective, load: null },
      },
      Float64Array.from(steps, (distance) => distance / 1024),
    );
    const isWhole = objective === "pairwise";
    // A multiple of every size up to 16.
    const common = 720_720;
    const least = Math.min(
      ...grouping.windows.map((window) =>
        leastByEnumeration({
          ...{ items: features, groups: towers, window },
          pairs: isWhole ? steps : steps.map((distance) => distance * distance),
          factor: (size) => (isWhole ? common : common / size),
        }),
      ),
    );
    const { verdict } = await solveGrouping(grouping, { ...ask, seed: 0 });
    expect(verdict?.status).toBe("proved");
    const unit = Rational.of(BigInt(common) * (isWhole ? 1024n : 1024n ** 2n));
    expect(verdict?.value?.multiply(unit).toString()).toBe(String(least));
  });
});
