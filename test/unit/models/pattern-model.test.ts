import { expect, test } from "vitest";
import { directProgram } from "../../../models/table-placement/direct-program.js";
import { patternModel } from "../../../models/table-placement/pattern-model.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "../../../models/table-placement/problem.js";
import { Rational } from "../../../src/exact/rational.js";
import { solvePlacement } from "../../../src/problems/table-placement/solve/solve.js";

const need = (cost: number, hbmBytes: number): ShardNeed => ({ cost, hbmBytes, hostBytes: 0 });

function option(shardingType: string, partitionBy: PlacementOption["partitionBy"], shards: ShardNeed[]) {
  return { shardingType, kernel: "fused", partitionBy, shards };
}

/** Two hosts of two devices; the last device may not hold the second table. */
const problem: PlacementProblem = {
  name: "pinned",
  nodes: 2,
  gpusPerNode: 2,
  hbmBytes: [9, 9, 9, 9],
  hostBytes: null,
  hostIsPooled: false,
  tables: [
    {
      name: "columns",
      options: [
        option("table_column_wise", "host", [need(3, 2), need(3, 2)]),
        option("table_wise", "device", [need(5, 4)]),
      ],
      devices: null,
    },
    { name: "pinned", options: [option("table_wise", "device", [need(4, 3)])], devices: [0, 1, 2] },
    { name: "free", options: [option("table_wise", "device", [need(4, 3)])], devices: null },
    { name: "wide", options: [option("column_wise", "device", [need(3, 3), need(3, 3)])], devices: null },
  ],
  together: [],
  apart: [],
};

test("devices are alike only where the devices that share a choice of hosts with them are", () => {
  // Device 2 may hold what devices 0 and 1 do, but "columns" on its host is on device 3 too.
  const model = patternModel(problem, directProgram(problem));
  expect(model?.classes.map(({ devices }) => devices)).toEqual([[0, 1], [2], [3]]);
  const orbits = model?.orbits.filter(({ table, option }) => table === 0 && option === 0);
  expect(orbits?.map(({ rows }) => rows.length)).toEqual([1, 1]);
});

test("a pattern bound of such devices is accepted by the checker", async () => {
  const without = new Set(["base tree", "branch and bound", "lifting", "reduced bound"]);
  const gap = Rational.zero;
  const { verdict } = await solvePlacement(problem, { timeLimitSeconds: 20, seed: 0, gap, without });
  expect(verdict?.status).toBe("proved");
  expect(verdict?.gap?.sign()).toBe(0);
});
