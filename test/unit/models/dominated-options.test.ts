import { describe, expect, test } from "vitest";
import { directProgram } from "../../../models/table-placement/direct-program.js";
import { dominatedOptions } from "../../../models/table-placement/dominated-options.js";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "../../../models/table-placement/problem.js";
import { evaluate } from "../../../src/program/evaluate.js";
import { drawFrom } from "../../fuzz/oracle/draw.js";
import { forEachPlacement, tinyPlacement } from "../../support/tiny-placement.js";

const need = (cost: number, hbmBytes = 1, hostBytes = 0): ShardNeed => ({ cost, hbmBytes, hostBytes });

function option(partitionBy: PlacementOption["partitionBy"], shards: readonly ShardNeed[]): PlacementOption {
  return {
    shardingType: partitionBy === "host" ? "table_row_wise" : partitionBy,
    kernel: "fused",
    partitionBy,
    shards,
  };
}

function problemOf(options: readonly PlacementOption[], more: Partial<PlacementProblem> = {}): PlacementProblem {
  return {
    name: "options",
    nodes: 2,
    gpusPerNode: 2,
    hbmBytes: [9, 9, 9, 9],
    hostBytes: null,
    hostIsPooled: false,
    tables: [{ name: "t", options, devices: null }],
    together: [],
    apart: [],
    ...more,
  };
}

const dominatedIn = (problem: PlacementProblem) =>
  [...(dominatedOptions(problem)[0] ?? [])].map(([o, by]) => [o, by.option]);

describe("dominated options", () => {
  test("are those with another that needs no more shard by shard, whatever the order of free shards", () => {
    const options = [option("device", [need(1), need(3)]), option("device", [need(3), need(2)])];
    expect(dominatedIn(problemOf(options))).toEqual([[1, 0]]);
    expect(dominatedOptions(problemOf(options))[0]?.get(1)?.shards).toEqual([1, 0]);
    // In slots the order counts.
    const slots = [option("host", [need(1), need(3)]), option("host", [need(3), need(2)])];
    expect(dominatedIn(problemOf(slots))).toEqual([]);
  });

  test("less cost for more memory, of either kind, is a choice", () => {
    expect(dominatedIn(problemOf([option("device", [need(1, 2)]), option("device", [need(2, 1)])]))).toEqual([]);
    expect(dominatedIn(problemOf([option("device", [need(1, 1, 1)]), option("device", [need(2, 1, 0)])]))).toEqual([]);
    expect(dominatedIn(problemOf([option("device", [need(1)]), option("device", [need(1), need(0)])]))).toEqual([]);
  });

  test("what may be anywhere dominates what is bound to places, and not the other way round", () => {
    const free = option("device", [need(1), need(1)]);
    const bound = option("host", [need(1), need(1)]);
    expect(dominatedIn(problemOf([bound, free]))).toEqual([[0, 1]]);
    const dear = option("device", [need(2), need(2)]);
    expect(dominatedIn(problemOf([bound, dear]))).toEqual([]);
  });

  test("of equal ones the first is left; chains end at one that is left", () => {
    const options = [3, 2, 2, 1].map((cost) => option("device", [need(cost)]));
    expect(dominatedIn(problemOf(options))).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
    expect(dominatedIn(problemOf(options.slice(1, 3)))).toEqual([[1, 0]]);
  });

  test("phases are compared one by one", () => {
    const phased = (...phases: number[]) => option("device", [{ ...need(phases[0] as number), phases }]);
    const goal = { goal: "phases" } as const;
    expect(dominatedIn(problemOf([phased(1, 2), phased(2, 1)], goal))).toEqual([]);
    expect(dominatedIn(problemOf([phased(1, 2), phased(1, 3)], goal))).toEqual([[1, 0]]);
  });

  test("with limited moves none is, with learned costs equal ones alone", () => {
    const options = [option("device", [need(1)]), option("device", [need(1)]), option("device", [need(2)])];
    expect(dominatedIn(problemOf(options, { stay: { homes: [[]], mostMoved: 1 } }))).toEqual([]);
    expect(dominatedOptions(problemOf(options), true)[0]?.size).toBe(1);
  });

  test("a placement with one has a feasible point of its own value, on all placements of 300 random problems", () => {
    let compared = 0;
    for (let seed = 0; seed < 300; seed++) {
      const problem = tinyPlacement(drawFrom(seed));
      const left = dominatedOptions(problem);
      const { program, pointOf } = directProgram(problem);
      forEachPlacement(problem, (placement) => {
        if (!placement.choices.some(({ option: own }, t) => left[t]?.has(own))) return;
        if (compared++ % 20 !== 0) return;
        const evaluated = evaluate(program, pointOf(placement));
        expect(evaluated.violations, `seed ${seed}`).toEqual([]);
        expect(evaluated.objective.equals(evaluatePlacement(problem, placement).largest), `seed ${seed}`).toBe(true);
      });
    }
    expect(compared).toBeGreaterThan(1000);
  });
});
