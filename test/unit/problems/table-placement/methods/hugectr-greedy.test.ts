import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import type { PlacementOption } from "../../../../../models/table-placement/problem.js";
import { hugectrGreedy } from "../../../../../src/problems/table-placement/methods/hugectr-greedy.js";
import { devicesOf, planOf, problemWith, sharded, times, whole } from "./support.js";

/** A table that costs `cost` in all and may be cut into up to so many shards of `overhead` more each. */
function cuttable(cost: number, bytes: number, most: number, overhead = 0): PlacementOption[] {
  const options: PlacementOption[] = [];
  for (let k = 1; k <= most; k *= 2) {
    options.push(sharded("row_wise", "device", times(k, cost / k + overhead, bytes / k)));
  }
  return options;
}

test("shards of a table go to different devices", () => {
  const problem = problemWith({ gpusPerNode: 4 }, [cuttable(16, 8, 4), [whole(3)]]);
  const [shards, other] = devicesOf(hugectrGreedy(problem, { seed: 0 }));
  expect(new Set(shards).size).toBe(4);
  expect(other).toHaveLength(1);
});

test("a table that fits nowhere is cut until it does", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [cuttable(4, 16, 2, 1)]);
  expect(devicesOf(hugectrGreedy(problem, { seed: 0 }))).toEqual([[0, 1]]);
});

test("cutting stops paying: the round before it is the plan", () => {
  // Whole, the tables cost 5 and 5; one cut, 3.5 + 3.5 beside 5, and so on.
  const problem = problemWith({ gpusPerNode: 2 }, [cuttable(5, 1, 2, 3), cuttable(5, 1, 2, 3)]);
  expect(planOf(hugectrGreedy(problem, { seed: 0 })).choices.map(({ option }) => option)).toEqual([0, 0]);
});

test("it gives up where tables spread over all devices do not fit, though devices may differ", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: [20, 2] }, [cuttable(4, 16, 2)]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "none",
    reason: "it gives up when the tables do not fit spread evenly over all devices",
  });
});

test("a shard that cannot be cut further and fits nowhere ends the search", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [[whole(1, 11)]]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "none",
    reason: "a shard that it could cut no further fitted on no device",
  });
});

test("shards of an option that has one on every device are on their own", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [
    [whole(8, 2), sharded("row_wise", "uniform", times(2, 4, 1))],
    [whole(1, 1), sharded("row_wise", "uniform", times(2, 1, 1))],
  ]);
  const placement = planOf(hugectrGreedy(problem, { seed: 0 }));
  expect(evaluatePlacement(problem, placement).violations).toEqual([]);
  expect(placement.choices[0]).toEqual({ option: 1, devices: [0, 1] });
});

test("a table without an option of one shard is not for it", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1)], [sharded("column_wise", "device", times(2, 1))]]);
  expect(hugectrGreedy(problem, { seed: 0 })).toEqual({
    kind: "not-applicable",
    reason: "starts from whole tables, and t1 has no option with one shard for any device",
  });
});
