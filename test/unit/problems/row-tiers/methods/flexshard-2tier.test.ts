import { expect, test } from "vitest";
import type { RowClasses } from "../../../../../src/access/row-classes.js";
import type { RowTiersInstance } from "../../../../../src/instance/types/row-tiers.js";
import { flexshard2tier } from "../../../../../src/problems/row-tiers/methods/flexshard.js";
import { hottestReplicated, mergedUnits } from "../../../../../src/problems/row-tiers/methods/merged-units.js";
import { evaluateRuns } from "../../../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import { tinyInstance } from "../../../../support/tiny-instance.js";
import { oneTable, planOf, runsOf } from "./support.js";

/** FlexShard's points with their memory over all rows row-wise and the seconds of the two collectives. */
function pointsOf(instance: RowTiersInstance, access: readonly RowClasses[]) {
  const { points } = planOf(flexshard2tier(instance, access));
  const at = (rows: number) =>
    evaluateRuns(instance, access, hottestReplicated(instance, mergedUnits(instance, access), rows));
  const named = Object.entries(points ?? {}).map(([name, rows]) => {
    const { memoryBytes, collectives } = at(rows);
    const extraBytesPerGpu = memoryBytes.subtract(at(0).memoryBytes).toNumber();
    return [
      name,
      { rows, extraBytesPerGpu, seconds: collectives.allToAllGlobal.add(collectives.allReduceGlobal).toNumber() },
    ] as const;
  });
  return Object.fromEntries(named);
}

// In tinyInstance a row costs 5.75 − 8p times its bytes more as data_parallel than as row_wise: p_mem = 0.71875.
test("replicates until the saved memory is used up", () => {
  const { instance, access } = tinyInstance(oneTable);
  // 3·14.25 + 6·1.45 = 51.45 saved; 12·2.55 = 30.6 spent; 20.85 are left for ⌊20.85 / 5.67⌋ = 3 of the coldest.
  expect(runsOf(flexshard2tier(instance, access))).toEqual(["data_parallel 24, row_wise 17"]);
});

test("reports the points of figure 5", () => {
  const { instance, access } = tinyInstance(oneTable);
  const points = pointsOf(instance, access);
  const rowBytes = 16;
  // All-to-all of a row: 2·8·p·16/1000 s; all-reduce: 16/3000 s; so p_comm = 1/48 and C is before the coldest class.
  const seconds = (replicated: number, reads: number) =>
    (replicated * rowBytes) / 3000 + (16 * reads * rowBytes) / 1000;
  expect(points.a?.rows).toBe(9);
  expect(points.a?.extraBytesPerGpu).toBeCloseTo(-51.45 * rowBytes, 9);
  expect(points.a?.seconds).toBeCloseTo(seconds(9, 12 * 0.4 + 20 * 0.01), 12);
  expect(points.b?.rows).toBe(24);
  expect(points.b?.extraBytesPerGpu).toBeCloseTo(-(20.85 - 3 * 5.67) * rowBytes, 9);
  expect(points.b?.seconds).toBeCloseTo(seconds(24, 17 * 0.01), 12);
  expect(points.c?.rows).toBe(21);
  expect(points.c?.extraBytesPerGpu).toBeCloseTo(-20.85 * rowBytes, 9);
  expect(points.c?.seconds).toBeCloseTo(seconds(21, 20 * 0.01), 12);
  expect(points.d?.rows).toBe(41);
  expect(points.d?.extraBytesPerGpu).toBeCloseTo((-20.85 + 20 * 5.67) * rowBytes, 9);
  expect(points.d?.seconds).toBeCloseTo(seconds(41, 0), 12);
});

test("counts latency in a point's seconds for what it carries", () => {
  const latency = { allToAllGlobal: 0.5, allToAllIntra: 9, allReduceGlobal: 0.25, allReduceCross: 9, hostToDevice: 9 };
  const { instance, access } = tinyInstance(oneTable);
  const free = pointsOf(instance, access);
  const cluster = { ...instance.cluster, latency };
  const paid = pointsOf({ ...instance, cluster }, access);
  // Two passes of the all-to-all; at D it carries nothing.
  expect(paid.b?.seconds).toBeCloseTo((free.b?.seconds as number) + 1.25, 12);
  expect(paid.d?.seconds).toBeCloseTo((free.d?.seconds as number) + 0.25, 12);
});

test("a row at the break-point is replicated, also when the budget is exactly used up", () => {
  const atBreakPoint = [
    {
      dim: 4,
      histogram: [
        [2, 1],
        [3, 0.71875],
        [5, 0.4375],
      ],
    },
  ] as const;
  const { instance, access } = tinyInstance(atBreakPoint);
  // Saved 2·2.25 = 4.5; the middle class is neutral; 4.5 / 2.25 = 2 rows exactly.
  expect(runsOf(flexshard2tier(instance, access))).toEqual(["data_parallel 7, row_wise 3"]);
  expect(pointsOf(instance, access).a?.rows).toBe(5);
  expect(pointsOf(instance, access).b?.extraBytesPerGpu).toBe(0);
});

test("other budgets move the end; under a budget below the least memory A comes out", () => {
  const runs = (bytes: number) => {
    const { instance, access } = tinyInstance(oneTable, { budget: { kind: "extraBytesPerGpu", bytes } });
    return runsOf(flexshard2tier(instance, access))[0];
  };
  // 20.85·16 = 333.6 bytes under row_wise after the third class, 5.67·16 = 90.72 bytes per colder row.
  expect(runs(-333.7)).toBe("data_parallel 20, row_wise 21");
  expect(runs(-333.5)).toBe("data_parallel 21, row_wise 20");
  expect(runs(91)).toBe("data_parallel 25, row_wise 16");
  expect(runs(1e9)).toBe("data_parallel 41");
  expect(runs(-1e9)).toBe("data_parallel 9, row_wise 32");
});

test("a budget in bytes counts from the memory of all rows row-wise", () => {
  const { instance, access } = tinyInstance(oneTable);
  // 16·(41/4 + 16·(3·2.5 + 6·0.9 + 12·0.4 + 20·0.01)) = 4746.4 bytes row-wise.
  const at = (bytes: number) => runsOf(flexshard2tier({ ...instance, budget: { kind: "bytesPerGpu", bytes } }, access));
  expect(at(4746.5)).toEqual(["data_parallel 24, row_wise 17"]);
  expect(at(4746.4 - 333.7)).toEqual(["data_parallel 20, row_wise 21"]);
});

test("tables are merged by appearances, and a row weighs by its bytes", () => {
  const { instance, access } = tinyInstance([
    {
      dim: 16,
      histogram: [
        [2, 1.5],
        [5, 0.2],
      ],
    },
    {
      dim: 2,
      histogram: [
        [3, 2],
        [6, 0.3],
      ],
    },
  ]);
  // Bytes: −3·82 − 2·400 + 6·26.8 = −885.2 before the coldest class, whose rows cost 265.6 each.
  expect(runsOf(flexshard2tier(instance, access))).toEqual(["data_parallel 5, row_wise 2", "data_parallel 9"]);
});

test("rows move in whole blocks of the granularity", () => {
  const table = [
    {
      dim: 4,
      histogram: [
        [6, 1.5],
        [10, 0.3],
        [5, 0.02],
      ],
    },
  ] as const;
  const { instance, access } = tinyInstance(table, { granularity: 4 });
  // Blocks of four with means 1.5, 0.9, 0.3, 0.3, 0.02 and one row: −25 − 5.8 + 13.4 + 13.4 = −4; the next costs 22.36.
  expect(runsOf(flexshard2tier(instance, access))).toEqual(["data_parallel 16, row_wise 5"]);
  expect(pointsOf(instance, access).a?.rows).toBe(8);
});

test("says which tier is missing", () => {
  const { instance, access } = tinyInstance(oneTable, { tiers: ["flex", "row_wise"] });
  expect(flexshard2tier(instance, access)).toEqual({
    kind: "not-applicable",
    reason: "needs the tier data_parallel, which the instance does not allow",
  });
});
