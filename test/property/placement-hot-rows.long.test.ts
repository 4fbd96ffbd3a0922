import { expect, test } from "vitest";
import { aggregatedProgram } from "../../models/table-placement/aggregated-program.js";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import type {
  Placement,
  PlacementChoice,
  PlacementProblem,
  PlacementTable,
} from "../../models/table-placement/problem.js";
import { publishedOptions } from "../../models/table-placement/published-options.js";
import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { placeByGoals } from "../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { solveLargePlacement } from "../../src/problems/table-placement/solve/large/solve-large.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { evaluate } from "../../src/program/evaluate.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { bruteForcePlacement, combinations } from "../support/brute-force-placement.js";
import { type Draws, drawsOf } from "../support/draws.js";
import { randomPlacementProblem, withHotRows } from "../support/random-placement.js";
import { bestByGoals, tinyGoalPlacement } from "../support/tiny-placement.js";
import { expectOptimum } from "../support/within-gap.js";

const split = drawsOf(100, 71);
const alike = drawsOf(50, 73);
const limited = drawsOf(150, 21_000);
const MAX_COMBINATIONS = 30_000;
const GAP = Rational.of(1n, 10n ** 9n);

function smallProblems({ seed, amount }: Draws): PlacementProblem[] {
  const random = seededRandom(seed);
  const problems: PlacementProblem[] = [];
  while (problems.length < amount) {
    const problem = withHotRows(randomPlacementProblem(random), random);
    const count = combinations(problem);
    if (count > 0 && count <= MAX_COMBINATIONS) problems.push(problem);
  }
  return problems;
}

test(`brute force agrees with the proved optimum of ${split.amount} problems with hot rows on every device`, {
  timeout: 3_600_000,
}, async () => {
  const seen = { infeasible: 0, split: 0, better: 0 };
  for (const [k, problem] of smallProblems(split).entries()) {
    const best = bruteForcePlacement(problem);
    const solution = await solvePlacement(problem, { gap: GAP, timeLimitSeconds: 120, seed: 0 });
    const large = solveLargePlacement(problem, { gap: GAP, timeLimitSeconds: 0.2, seed: 0 });
    if (best === null) {
      seen.infeasible++;
      expect(solution.verdict?.status, `problem ${k}`).toBe("infeasible");
      expect(large.placement, `problem ${k}`).toBeNull();
      continue;
    }
    expectOptimum(solution.verdict, best.largest, GAP, `problem ${k}`);
    const { choices } = solution.placement as Placement;
    expect(evaluatePlacement(problem, { choices }).violations, `problem ${k}`).toEqual([]);
    // The program of many devices bounds it, and has a point of it.
    expect(large.verdict?.bound?.compare(best.largest) ?? 0, `problem ${k}`).toBeLessThanOrEqual(0);
    expect(large.verdict?.status, `problem ${k}`).not.toBe("infeasible");
    expect(() => aggregatedProgram(problem).pointOf(best.placement)).not.toThrow();
    if (choices.some(({ option }, t) => problem.tables[t]?.options[option]?.hot !== undefined)) seen.split++;
    // Without the freedom nothing is better.
    const without = publishedOptions(problem);
    if (without === null || without.problem.tables.some(({ options }) => options.length === 0)) continue;
    const plain = bruteForcePlacement(without.problem);
    if (plain !== null) expect(best.largest.compare(plain.largest)).toBeLessThanOrEqual(0);
    if (plain === null || best.largest.compare(plain.largest) < 0) seen.better++;
  }
  expect(seen.infeasible).toBeGreaterThanOrEqual(split.atLeast(6));
  expect(seen.split).toBeGreaterThanOrEqual(split.atLeast(26));
  expect(seen.better).toBeGreaterThanOrEqual(split.atLeast(11));
});

test("tables that are the same in all but the name: brute force agrees, and points keep their order", {
  timeout: 3_600_000,
}, async () => {
  const seen = { twins: 0, unlike: 0 };
  for (const [k, drawn] of smallProblems(alike).entries()) {
    const [first, ...others] = drawn.tables as [PlacementTable, ...PlacementTable[]];
    const tables = [first, { ...first, name: "twin" }, ...others].slice(0, 3);
    const problem = { ...drawn, tables, together: [], apart: [] };
    const count = combinations(problem);
    if (count === 0 || count > MAX_COMBINATIONS) continue;
    const best = bruteForcePlacement(problem);
    const direct = directProgram(problem);
    const { verdict } = await solvePlacement(problem, { gap: GAP, timeLimitSeconds: 120, seed: 0 });
    expectOptimum(verdict, best?.largest ?? null, GAP, `problem ${k}`);
    if (best === null || direct.structure.twins.length === 0) continue;
    seen.twins++;
    // Either way round a placement has a point that keeps all rows, of its own value.
    const [own, twin, ...rest] = best.placement.choices as [PlacementChoice, PlacementChoice, ...PlacementChoice[]];
    if (own.option !== twin.option) seen.unlike++;
    for (const choices of [
      [own, twin, ...rest],
      [twin, own, ...rest],
    ]) {
      const { violations, objective } = evaluate(direct.program, direct.pointOf({ choices }));
      expect(violations, `problem ${k}`).toEqual([]);
      expect(objective.toString(), `problem ${k}`).toBe(best.largest.toString());
    }
  }
  expect(seen.twins).toBeGreaterThanOrEqual(alike.atLeast(11));
  expect(seen.unlike).toBeGreaterThanOrEqual(alike.atLeast(3));
});

test(`phases, second goals and limited work with hot rows: ${limited.amount} random problems`, {
  timeout: 600_000,
}, async () => {
  const random = seededRandom(limited.seed);
  let found = 0;
  for (const seed of limited.seeds) {
    const { stay: _, ...drawn } = tinyGoalPlacement(drawFrom(seed));
    const problem = withHotRows(drawn, random);
    if (combinations(problem) > MAX_COMBINATIONS) continue;
    const best = bestByGoals(problem);
    const solution = await placeByGoals(problem, { gap: GAP, timeLimitSeconds: 20, seed: 0 });
    if (best === null) {
      expect(solution.verdict?.status, `seed ${seed}`).toBe("infeasible");
      continue;
    }
    expect(solution.verdict?.status, `seed ${seed}`).toBe("proved");
    expect(solution.verdict?.value?.toNumber(), `seed ${seed}`).toBe(best.first);
    expect(solution.stages[1]?.verdict.value?.toNumber() ?? null, `seed ${seed}`).toBe(best.second);
    const { choices } = solution.placement as Placement;
    if (choices.some(({ option }, t) => problem.tables[t]?.options[option]?.hot !== undefined)) found++;
  }
  expect(found).toBeGreaterThanOrEqual(limited.atLeast(21));
});
