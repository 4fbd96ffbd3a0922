import { expect, test } from "vitest";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { Placement } from "../../models/table-placement/problem.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { drawnFreedoms, type Freedoms } from "../support/drawn-freedoms.js";
import { drawsOf } from "../support/draws.js";

const draws = drawsOf(60, 81);
const MAX_COMBINATIONS = 10_000;

test(`hot rows and caches of ${draws.amount} random instances: brute force agrees, and no freedom makes anything worse`, {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(draws.seed);
  const seen = { infeasible: 0, split: 0, cached: 0, both: 0, betterThanSplits: 0, betterThanCaches: 0 };
  for (let k = 0; k < draws.amount; ) {
    const instanceWith = drawnFreedoms(random);
    const problemWith = (freedoms: Freedoms) => placementProblem(instanceWith(freedoms));
    const problem = problemWith({ hotRows: true, caches: true });
    if (combinations(problem) > MAX_COMBINATIONS) continue;
    k++;
    const best = bruteForcePlacement(problem);
    const gap = Rational.of(1n, 10n ** 9n);
    const { verdict, placement } = await solvePlacement(problem, { gap, timeLimitSeconds: 120, seed: 0 });
    if (best === null) {
      seen.infeasible++;
      expect(verdict?.status, `instance ${k}`).toBe("infeasible");
      continue;
    }
    expect(verdict?.status, `instance ${k}`).toBe("proved");
    expect(verdict?.value?.toNumber(), `instance ${k}`).toBe(best.largest.toNumber());
    const taken = (placement as Placement).choices.map(({ option }, t) => problem.tables[t]?.options[option]);
    const isSplit = taken.some((option) => option?.hot !== undefined);
    const isCached = taken.some((option) => option?.cache !== undefined && !option.cache.isPublished);
    if (isSplit) seen.split++;
    if (isCached) seen.cached++;
    if (isSplit && isCached) seen.both++;
    const splitsAlone = bruteForcePlacement(problemWith({ hotRows: true, caches: false }));
    const cachesAlone = bruteForcePlacement(problemWith({ hotRows: false, caches: true }));
    for (const [alone, key] of [
      [splitsAlone, "betterThanSplits"],
      [cachesAlone, "betterThanCaches"],
    ] as const) {
      if (alone !== null) expect(best.largest.compare(alone.largest), `instance ${k}`).toBeLessThanOrEqual(0);
      if (alone === null || best.largest.compare(alone.largest) < 0) seen[key]++;
    }
  }
  for (const number of Object.values(seen)) expect(number).toBeGreaterThanOrEqual(draws.atLeast(1));
});
