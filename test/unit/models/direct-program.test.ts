import { describe, expect, test } from "vitest";
import { type DirectProgram, directProgram } from "../../../models/table-placement/direct-program.js";
import { dominatedOptions } from "../../../models/table-placement/dominated-options.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../models/table-placement/problem.js";
import type { Rational } from "../../../src/exact/rational.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";
import { drawsOf } from "../../support/draws.js";
import { bestPlacement, tinyPlacement } from "../../support/tiny-placement.js";

function given(costs: readonly number[], devices: number): PlacementProblem {
  return {
    name: "given",
    nodes: 1,
    gpusPerNode: devices,
    hbmBytes: new Array(devices).fill(10),
    hostBytes: null,
    hostIsPooled: false,
    tables: costs.map((cost, t) => ({
      name: `t${t}`,
      options: [
        {
          shardingType: "table_wise",
          kernel: "fused",
          partitionBy: "device",
          shards: [{ cost, hbmBytes: 1, hostBytes: 0 }],
        },
      ],
      devices: null,
    })),
    together: [],
    apart: [],
  };
}

describe("the direct program", () => {
  test("counts cost in the greatest unit that divides all costs exactly", () => {
    expect(directProgram(given([16, 48, 80], 2)).structure.unit.toString()).toBe("16");
    expect(directProgram(given([0.75, 1.5], 2)).structure.unit.toString()).toBe("3/4");
    expect(directProgram(given([0, 0], 2)).structure.unit.toString()).toBe("1");
    // 0.1 and 0.2 are not tenths: the doubles are multiples of 2⁻⁵⁵ · 3602879701896397.
    expect(directProgram(given([0.1, 0.3], 2)).structure.unit.numerator).toBe(1n);
  });

  test("refuses costs below zero and fractions of a byte", () => {
    expect(() => directProgram(given([-1], 1))).toThrow(RangeError);
    const problem = given([1], 1);
    const [table] = problem.tables;
    const [option] = table?.options ?? [];
    const half = {
      ...option,
      shards: [{ cost: 1, hbmBytes: 0.5, hostBytes: 0 }],
    } as (typeof problem.tables)[0]["options"][0];
    expect(() =>
      directProgram({ ...problem, tables: [{ ...table, options: [half] } as (typeof problem.tables)[0]] }),
    ).toThrow(RangeError);
  });

  test("refuses a placement with a shard where the table may not be", () => {
    const problem = given([1, 2], 3);
    const pinned = { ...problem, tables: problem.tables.map((table) => ({ ...table, devices: [1] })) };
    const { pointOf } = directProgram(pinned);
    const on = (device: number) => ({ choices: [0, 1].map(() => ({ option: 0, devices: [device] })) });
    expect(() => pointOf(on(0))).toThrow(RangeError);
    expect(pointOf(on(1)).map(String)).toEqual(["1", "1", "3"]);
  });

  test("has the value of the best placement, and the placement of its best point, on random problems", async () => {
    let infeasible = 0;
    const draws = drawsOf(300, 0);
    for (const seed of draws.seeds) {
      const problem = tinyPlacement(drawFrom(seed));
      const direct = directProgram(problem);
      const best = bestPlacement(problem);
      const { verdict, point } = await solveExactly(direct.program);
      if (best === null) {
        infeasible++;
        expect(verdict?.status, `seed ${seed}`).toBe("infeasible");
        continue;
      }
      expect(verdict?.value?.toNumber(), `seed ${seed}`).toBe(best.largest);
      const there = evaluatePlacement(problem, direct.recover(point as readonly Rational[]));
      expect(there.violations, `seed ${seed}`).toEqual([]);
      expect(there.largest.toNumber(), `seed ${seed}`).toBe(best.largest);
      expectSameValue(direct, problem, best.placement, seed);
    }
    expect(infeasible).toBeGreaterThanOrEqual(draws.atLeast(20));
    expect(infeasible).toBeLessThanOrEqual(draws.atMost(200));
  });
});

/**
 * A placement's point is feasible, has the placement's value, and is read back as a placement with no more on any
 * device, but for the order of devices: alike hosts may be exchanged.
 */
function expectSameValue(
  { program, pointOf, recover }: DirectProgram,
  problem: PlacementProblem,
  placement: Parameters<DirectProgram["pointOf"]>[0],
  seed: number,
): void {
  const point = pointOf(placement);
  const { objective, violations } = evaluate(program, point);
  expect(violations, `seed ${seed}`).toEqual([]);
  const expected = evaluatePlacement(problem, placement);
  expect(objective.equals(expected.largest), `seed ${seed}`).toBe(true);
  const sorted = (costs: readonly Rational[]) => [...costs].sort((a, b) => a.compare(b));
  const back = sorted(evaluatePlacement(problem, recover(point)).deviceCosts);
  const dominated = dominatedOptions(problem);
  const isOwn = placement.choices.every(({ option }, t) => !dominated[t]?.has(option));
  sorted(expected.deviceCosts).forEach((cost, d) => {
    const compared = (back[d] as Rational).compare(cost);
    expect(isOwn ? compared === 0 : compared <= 0, `seed ${seed}`).toBe(true);
  });
}
