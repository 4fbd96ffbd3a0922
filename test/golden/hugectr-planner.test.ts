import { describe, expect, test } from "vitest";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import { requireInstance } from "../../src/instance/reader.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";
import { readExpected } from "../support/expected.js";
import { canPlaceWithin } from "./device-states.js";

/**
 * HugeCTR's planner on MLPerf's DLRM-DCNv2 with its settings for 1, 8 and 16 nodes of 8 GPUs (samples/dlrm; sources are in
 * the instances): what its greedy method comes to, and the optimum with powers of two as numbers of shards (its own) and
 * with any number of them.
 */
const PLANNERS = [
  { cluster: "1-node", devices: 8, greedy: 29, powers: 28.75, any: 28.75 },
  { cluster: "8-nodes", devices: 8, greedy: 61.5, powers: 61.5, any: 59.25 },
  { cluster: "16-nodes", devices: 16, greedy: 41.75, powers: 41.75, any: 36.75 },
] as const;

/** Costs are hotness/k + c, with c a multiple of 1/4. */
const leastCommonMultiple = (most: number) => {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let multiple = 4;
  for (let k = 2; k <= most; k++) multiple = (multiple * k) / divisor(multiple, k);
  return multiple;
};

describe.each(PLANNERS)("$cluster", ({ cluster, devices, greedy, powers, any }) => {
  const file = `instances/public/hugectr-dlrm-dcnv2-${cluster}.yaml`;
  const anySplit = `instances/public/hugectr-dlrm-dcnv2-${cluster}-any-split.yaml`;

  test.each([file, anySplit])("hugectr-greedy, which halves, gives HugeCTR's plan: %s", async (each) => {
    const { objective } = await planTablePlacement(each, { method: "hugectr-greedy" });
    expect(objective.value).toBe(greedy);
  });

  // placement-published.long.test.ts holds the exact method to the expected values.
  test("the expected optima are the published ones", () => {
    expect(readExpected(file).objective).toBe(powers);
    expect(readExpected(anySplit).objective).toBe(any);
  });

  // One node with any number of shards has so many states that they take half a minute.
  const searched = [[file, powers, devices] as const, [anySplit, any, leastCommonMultiple(devices)] as const];
  test.each(cluster === "1-node" ? searched.slice(0, 1) : searched)(
    "trying all states of the devices finds no plan below the optimum: %s",
    async (each, optimum, unit) => {
      const problem = placementProblem(requireInstance(tablePlacementReader, await loadInstance(each)));
      expect(canPlaceWithin(problem, optimum - 1 / unit, unit)).toBe(false);
    },
  );
});

test("the search of all states agrees with brute force on a tiny instance", async () => {
  const file = "instances/tiny/placement-lookup.yaml";
  const optimum = readExpected(file).objective as number;
  const problem = placementProblem(requireInstance(tablePlacementReader, await loadInstance(file)));
  expect(canPlaceWithin(problem, optimum, 1)).toBe(true);
  expect(canPlaceWithin(problem, optimum - 1, 1)).toBe(false);
});
