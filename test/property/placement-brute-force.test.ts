import { expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { bruteForcePlacement, combinations, waysOf } from "../support/brute-force-placement.js";
import { randomPlacementProblem } from "../support/random-placement.js";

const PROBLEMS = 150;
const MAX_COMBINATIONS = 20_000;

/** Problems small enough to try every placement. */
function smallProblems(seed: number): PlacementProblem[] {
  const random = seededRandom(seed);
  const problems: PlacementProblem[] = [];
  while (problems.length < PROBLEMS) {
    const problem = randomPlacementProblem(random);
    const count = combinations(problem);
    if (count > 0 && count <= MAX_COMBINATIONS) problems.push(problem);
  }
  return problems;
}

test("brute force's optimum evaluates to itself, and no random placement within the limits is better", () => {
  const random = seededRandom(11);
  let feasible = 0;
  for (const problem of smallProblems(1)) {
    const best = bruteForcePlacement(problem);
    if (best !== null) {
      feasible++;
      const { largest, violations } = evaluatePlacement(problem, best.placement);
      expect(violations).toEqual([]);
      expect(largest.toString()).toBe(best.largest.toString());
    }
    for (let k = 0; k < 50; k++) {
      const { largest, violations } = evaluatePlacement(problem, anyPlacement(problem, random));
      if (violations.length > 0) continue;
      if (best === null) throw new Error("evaluation takes a placement that brute force has not");
      expect(largest.compare(best.largest)).toBeGreaterThanOrEqual(0);
    }
  }
  // Both kinds are there, or the test shows little.
  expect(feasible).toBeGreaterThan(PROBLEMS / 4);
  expect(feasible).toBeLessThan(PROBLEMS);
});

test("places that brute force does not know are violations, and those it knows are none", () => {
  const random = seededRandom(12);
  const seen = { allowed: 0, refused: 0 };
  for (const problem of smallProblems(2)) {
    // One table at a time, with all the memory there could be.
    const wide: PlacementProblem = {
      ...problem,
      hbmBytes: problem.hbmBytes.map(() => Number.MAX_SAFE_INTEGER),
      hostBytes: null,
      together: [],
      apart: [],
    };
    const known = wide.tables.map((_, t) => new Set(waysOf(wide, t).map((way) => JSON.stringify(way))));
    for (let k = 0; k < 20; k++) {
      const placement = anyPlacement(wide, random);
      const allowed = placement.choices.every(({ option, devices }, t) =>
        known[t]?.has(JSON.stringify({ option, devices })),
      );
      seen[allowed ? "allowed" : "refused"]++;
      expect(evaluatePlacement(wide, placement).violations.length === 0).toBe(allowed);
    }
  }
  expect(seen.allowed).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(100);
});

test("device costs are the exact sums of doubles", () => {
  const tenth = { cost: 0.1, hbmBytes: 1, hostBytes: 0 };
  const option = {
    shardingType: "column_wise",
    kernel: "fused",
    partitionBy: "device",
    shards: [tenth, tenth, tenth],
  } as const;
  const problem: PlacementProblem = {
    name: "tenths",
    nodes: 1,
    gpusPerNode: 2,
    hbmBytes: [3, 3],
    hostBytes: null,
    hostIsPooled: false,
    tables: [{ name: "t", options: [option], devices: null }],
    together: [],
    apart: [],
  };
  const { deviceCosts, largest } = evaluatePlacement(problem, { choices: [{ option: 0, devices: [0, 0, 0] }] });
  expect(deviceCosts.map(String)).toEqual([Rational.fromNumber(0.1).multiply(Rational.of(3n)).toString(), "0"]);
  // In doubles, 0.1 + 0.1 + 0.1 is another number.
  expect(largest.equals(Rational.fromNumber(0.1 + 0.1 + 0.1))).toBe(false);
});

/** Often in an allowed place for each table, sometimes anywhere. */
function anyPlacement(problem: PlacementProblem, random: Random): Placement {
  const devices = problem.nodes * problem.gpusPerNode;
  return {
    choices: problem.tables.map(({ options }, t) => {
      const ways = waysOf(problem, t);
      const way = ways[random.integer(ways.length)];
      if (way !== undefined && random.integer(4) > 0) return way;
      const option = random.integer(options.length);
      const shards = options[option]?.shards.length as number;
      return { option, devices: Array.from({ length: shards }, () => random.integer(devices)) };
    }),
  };
}
