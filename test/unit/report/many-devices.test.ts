import { expect, test } from "vitest";
import type { TablePlacementPlan } from "../../../src/problems/table-placement/plan-file/plan-file.js";
import { deviceCharts } from "../../../src/problems/table-placement/report/device-charts.js";
import type { PlacedShard, PlacementCharts } from "../../../src/problems/table-placement/report/input.js";

/** Of the processor: by every part for every device this is some 10^10 comparisons. */
const MOST_MICROSECONDS = 10e6;

test("what the most devices hold is listed in one pass over the shards", () => {
  const devices = 65_536;
  const shards = Array.from(
    { length: 2 * devices },
    (_, k): PlacedShard => ({
      ...{ device: k % devices, table: k < devices ? "a" : "b", name: `${k < devices ? "a" : "b"}#${k % devices}` },
      ...{ shardingType: "row_wise", cost: 1 + (k % 7), hbmBytes: 1 + (k % 5) },
    }),
  );
  const ones = Array.from({ length: devices }, () => 8);
  const plan = {
    ...{ deviceCosts: ones, deviceBytes: ones, objective: { kind: "largest-device-cost", unit: "ms", bound: 7 } },
    memory: { hbmBytesPerGpu: null },
  } as unknown as TablePlacementPlan;
  const charts = { gpusPerNode: 8, shards } as unknown as PlacementCharts;
  const before = process.cpuUsage();
  const [costs] = deviceCharts(plan, charts, "x");
  expect(process.cpuUsage(before).user).toBeLessThan(MOST_MICROSECONDS);
  expect(costs?.numbers.rows.length).toBe(devices);
  expect(costs?.numbers.rows[3]).toEqual([3, 8, "b#3, a#3"]);
});
