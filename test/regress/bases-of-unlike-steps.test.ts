import { expect, test } from "vitest";
import { directProgram } from "../../models/table-placement/direct-program.js";
import type { PlacementOption, PlacementProblem } from "../../models/table-placement/problem.js";
import { evaluate } from "../../src/program/evaluate.js";

/**
 * What one host may have at most can be beyond 2^53 of the other's steps, so that its own steps are larger. A row that has bases of
 * hosts in order, which are whole steps, left out the placements whose first host has many small ones.
 */
test("bases of hosts that are counted in unlike steps are in no order", () => {
  const rowWise = (hbmBytes: number, costs: readonly number[]): PlacementOption => ({
    shardingType: "row_wise",
    kernel: "fused",
    partitionBy: "uniform",
    shards: costs.map((cost) => ({ cost, hbmBytes, hostBytes: 0 })),
  });
  const problem: PlacementProblem = {
    ...{ name: "unlike steps", nodes: 2, gpusPerNode: 1, hbmBytes: [10, 10], hostBytes: null, hostIsPooled: false },
    tables: [{ name: "t", devices: null, options: [rowWise(1, [1e-300, 1e-300]), rowWise(0, [1e-300, 1])] }],
    ...{ together: [], apart: [] },
  };
  const { program, pointOf } = directProgram(problem);
  for (const option of [0, 1]) {
    expect(evaluate(program, pointOf({ choices: [{ option, devices: [0, 1] }] })).violations).toEqual([]);
  }
});
