import { expect, test } from "vitest";
import { claims } from "../../../../src/reproduce/autoshard/claims.js";
import type { Ablation, MethodMeasure, MethodName } from "../../../../src/reproduce/autoshard/reproduction.js";

const NONE = { figure8: null, figure10: null, figure11: null, table2: null, table3: null };

function measureOf(method: MethodName, speedup: number): MethodMeasure {
  return {
    method,
    tasks: 1,
    placed: 1,
    balance: { mean: speedup / 4, deviation: 0 },
    speedup: { mean: speedup, deviation: 0 },
  };
}

function ablationOf(without: Ablation["without"], speedup: number): Ablation {
  const measure = measureOf("predicted-greedy", speedup);
  return { without, meanAbsoluteError: 1, measure, published: { balance: 1, speedup: 1 } };
}

function heldOf(where: string, parts: Partial<Parameters<typeof claims>[0]>): (boolean | null)[] {
  return claims({ ...NONE, ...parts })
    .filter((claim) => claim.where === where)
    .map(({ holds }) => holds);
}

test("nothing is said of parts that were not reached", () => {
  expect(new Set(claims(NONE).map(({ holds }) => holds))).toEqual(new Set([null]));
});

test("figure 8: the order of the methods decides", () => {
  const order = (dim: number, autoshard: number) =>
    [
      measureOf("random", 1),
      measureOf("size-greedy", 1.2),
      measureOf("dim-greedy", dim),
      measureOf("lookup-greedy", 1.6),
      measureOf("autoshard-rl", autoshard),
    ].map((measure) => ({ ...measure, published: null }));
  expect(heldOf("figure 8", { figure8: order(1.1, 2) })).toEqual([true, true, true]);
  expect(heldOf("figure 8", { figure8: order(0.9, 1.5) })).toEqual([false, true, false]);
  expect(heldOf("figure 8", { figure8: order(1.7, 2) })).toEqual([true, false, true]);
});

test("table 2: what is left out decides", () => {
  const rows = (pooling: number, size: number) => [
    ablationOf("cost model", 1.5),
    ablationOf("poolingFactor", pooling),
    ablationOf("size", size),
    ablationOf(null, 2),
  ];
  expect(heldOf("table 2", { table2: rows(1.3, 1.9) })).toEqual([true, true, true]);
  expect(heldOf("table 2", { table2: rows(1.6, 2.1) })).toEqual([false, true, false]);
});

test("figure 11: from the smallest to the largest task", () => {
  const size = (tables: number, balance: number, speedup: number) => ({
    tables,
    devices: tables / 10,
    methods: [
      { ...measureOf("autoshard-rl", speedup), balance: { mean: balance, deviation: 0 } },
      ...(["size-greedy", "dim-greedy", "lookup-greedy"] as const).map((rule) => measureOf(rule, 1.5)),
    ],
  });
  expect(heldOf("figure 11", { figure11: [size(80, 0.9, 2), size(800, 0.8, 2.5)] })).toEqual([true, true, true]);
  expect(heldOf("figure 11", { figure11: [size(80, 0.8, 2), size(800, 0.9, 1.4)] })).toEqual([false, false, false]);
});
