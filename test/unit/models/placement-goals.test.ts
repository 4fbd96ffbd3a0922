import { describe, expect, test } from "vitest";
import { directProgram, type PlacementProgram } from "../../../models/table-placement/direct-program.js";
import { dominatedOptions } from "../../../models/table-placement/dominated-options.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { secondProgram } from "../../../models/table-placement/goal-program.js";
import type { Placement, PlacementProblem, ShardNeed } from "../../../models/table-placement/problem.js";
import { movedTables } from "../../../models/table-placement/stay.js";
import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { randomMoves } from "../../../src/problems/table-placement/solve/goals/random-moves.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";
import { drawsOf } from "../../support/draws.js";
import { goalsOf, tinyGoalPlacement } from "../../support/tiny-placement.js";

const need = (cost: number, phases?: readonly number[]): ShardNeed => ({
  cost,
  hbmBytes: 1,
  hostBytes: 0,
  ...(phases === undefined ? {} : { phases }),
});

function problemOf(options: readonly (readonly ShardNeed[])[], more: Partial<PlacementProblem> = {}): PlacementProblem {
  return {
    name: "p",
    nodes: 1,
    gpusPerNode: 3,
    hbmBytes: [9, 9, 9],
    hostBytes: null,
    hostIsPooled: false,
    tables: options.map((shards, t) => ({
      name: `t${t}`,
      devices: null,
      options: [{ shardingType: "column_wise", kernel: "fused", partitionBy: "device", shards }],
    })),
    together: [],
    apart: [],
    ...more,
  };
}

const at = (...devices: readonly (readonly number[])[]): Placement => ({
  choices: devices.map((places) => ({ option: 0, devices: places })),
});

describe("what a placement comes to", () => {
  test("phases: each phase waits for its own largest device", () => {
    const problem = problemOf([[need(3, [1, 2])], [need(3, [2, 1])], [need(1, [0, 1])]], { goal: "phases" });
    const { objective, phaseMaxima, largest } = evaluatePlacement(problem, at([0], [1], [1]));
    expect(phaseMaxima?.map(({ largest: most, device }) => [most.toNumber(), device])).toEqual([
      [2, 1],
      [2, 0],
    ]);
    expect([objective.toNumber(), largest.toNumber()]).toEqual([4, 4]);
    expect(evaluatePlacement(problem, at([0], [0], [0])).objective.toNumber()).toBe(7);
  });

  test("the second largest device, of equal ones too, and of one alone", () => {
    const problem = problemOf([[need(3)], [need(3)], [need(1)]]);
    expect(evaluatePlacement(problem, at([0], [1], [2])).secondLargest.toNumber()).toBe(3);
    expect(evaluatePlacement(problem, at([0], [0], [2])).secondLargest.toNumber()).toBe(1);
    const one = { ...problem, gpusPerNode: 1, hbmBytes: [9] };
    expect(evaluatePlacement(one, at([0], [0], [0])).secondLargest.toNumber()).toBe(0);
  });

  test("a table stays where each kind of shard has the same devices, whichever shard is where", () => {
    const even = need(1);
    const odd = need(2);
    const home = at([0, 1, 2]).choices;
    const problem = problemOf([[even, even, odd]], { stay: { homes: [home], mostMoved: 0 } });
    expect(movedTables(problem, at([1, 0, 2]))).toEqual([]);
    expect(movedTables(problem, at([0, 2, 1]))).toEqual([0]);
    expect(movedTables(problem, at([0, 0, 2]))).toEqual([0]);
    expect(evaluatePlacement(problem, at([0, 2, 1])).violations).toEqual(["1 table has moved (t0), at most 0 may"]);
    expect(movedTables(problemOf([[even]]), at([0]))).toBeNull();
  });
});

describe("the programs", () => {
  test("say of random placements of random problems what evaluation says", () => {
    const seen = { feasible: 0, broken: 0 };
    const draws = drawsOf(150, 0);
    for (const seed of draws.seeds) {
      const problem = tinyGoalPlacement(drawFrom(seed));
      const moves = randomMoves(problem, seededRandom(seed));
      const direct = directProgram(problem);
      for (let k = 0; k < 20; k++) {
        const choices = moves.start();
        if (choices === null) continue;
        const { objective, violations, largest } = evaluatePlacement(problem, { choices });
        const isFeasible = violations.length === 0;
        seen[isFeasible ? "feasible" : "broken"]++;
        expectPoint(direct, problem, { choices }, isFeasible ? objective : null, seed);
        if (problem.thenMinimize === undefined) continue;
        const { second } = goalsOf(problem, { choices });
        const of = (cap: Rational) => secondProgram(problem, problem.thenMinimize as "sum", cap);
        expectPoint(of(largest), problem, { choices }, isFeasible ? Rational.fromNumber(second as number) : null, seed);
        if (largest.sign() === 0) continue;
        const below = largest.subtract(Rational.of(1n, 1000n));
        expectPoint(of(below), problem, { choices }, null, seed);
      }
    }
    expect(seen.feasible).toBeGreaterThanOrEqual(draws.atLeast(300));
    expect(seen.broken).toBeGreaterThanOrEqual(draws.atLeast(300));
  });

  test("the sum of all devices depends on the options alone", () => {
    const problem = problemOf([[need(3)], [need(2), need(2)]]);
    const { program } = secondProgram(problem, "sum", Rational.of(9n));
    expect(program.objective.form.columns).toEqual([]);
    expect(program.objective.constant.toNumber()).toBe(7);
  });
});

/** `value`: of the program's point; `null` where the point must break a row. */
function expectPoint(
  { program, pointOf, recover }: PlacementProgram,
  problem: PlacementProblem,
  placement: Placement,
  value: Rational | null,
  seed: number,
): void {
  const point = pointOf(placement);
  const { objective, violations } = evaluate(program, point);
  const dominated = dominatedOptions(problem);
  const isOwn = placement.choices.every(({ option }, t) => !dominated[t]?.has(option));
  if (value === null) {
    // In place of a dominated option another one may fit.
    expect(violations.length === 0 && isOwn, `seed ${seed}`).toBe(false);
    return;
  }
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(objective.toString(), `seed ${seed}`).toBe(value.toString());
  const [back, there] = [goalsOf(problem, recover(point)), goalsOf(problem, placement)];
  if (isOwn) expect(back, `seed ${seed}`).toEqual(there);
  expect(back.first, `seed ${seed}`).toBeLessThanOrEqual(there.first);
  expect(back.second ?? 0, `seed ${seed}`).toBeLessThanOrEqual(there.second ?? 0);
}
