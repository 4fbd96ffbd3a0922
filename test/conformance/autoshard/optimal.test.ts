import { describe, expect, test } from "vitest";
import { requireInstance } from "../../../src/instance/reader.js";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";

/**
 * AutoShard's ten test tasks with its look-up cost, which adds up: widths are 16 or 32 and pooling factors whole, so that
 * every device's cost is a multiple of 16, and the average rounded up to one is a bound, as the costliest table is.
 */
const STEP = 16;

const tasks = Array.from({ length: 10 }, (_, task) => `instances/paper/autoshard-${task}.yaml`);

describe.each(tasks)("%s", (file) => {
  test("has 80 tables with pooling factors cut to whole numbers and 8 devices with room for them", async () => {
    const { tables, devices, room } = await shape(file);
    expect([tables.length, devices]).toEqual([80, 8]);
    expect(tables.every(({ poolingFactor }) => Number.isInteger(poolingFactor))).toBe(true);
    expect(tables.reduce((sum, { rows, dim, elementBytes }) => sum + rows * dim * elementBytes, 0)).toBeLessThan(room);
  });

  test("that bound is reached and proved, and lookup-greedy reaches it already", async () => {
    const { tables, devices } = await shape(file);
    const costs = tables.map(({ dim, poolingFactor }) => dim * (poolingFactor as number));
    const average = costs.reduce((sum, cost) => sum + cost, 0) / devices;
    const optimum = Math.max(Math.ceil(average / STEP) * STEP, ...costs);
    const { status, objective, baseline } = await planTablePlacement(file, { gap: 0 });
    expect(status).toBe("proved");
    expect(objective).toMatchObject({ value: optimum, bound: optimum });
    expect(baseline.find(({ method }) => method === "lookup-greedy")).toMatchObject({ value: optimum, aboveBound: 0 });
  });
});

async function shape(file: string) {
  const instance: TablePlacementInstance = requireInstance(tablePlacementReader, await loadInstance(file));
  const { nodes, gpusPerNode, hbmBytesPerGpu } = instance.cluster;
  const tables = instance.tables.flatMap((table) => (table.kind === "features" ? [table.features] : []));
  return {
    tables,
    devices: nodes * gpusPerNode,
    room: (hbmBytesPerGpu ?? []).reduce((sum, bytes) => sum + bytes, 0),
  };
}
