import { expect, test, vi } from "vitest";
import type { RowTiersInstance } from "../../../../src/instance/types/row-tiers.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { rowTiersCharts } from "../../../../src/problems/row-tiers/charts.js";
import type { RowTiersPlan } from "../../../../src/problems/row-tiers/plan-file/plan-file.js";

test("a page's frontier is the same on a machine a hundred times as slow", async () => {
  const file = "instances/paper/flexshard-rm1.yaml";
  const plan = (await planInstance(file, { method: "flexshard-3tier" })) as unknown as RowTiersPlan;
  const instance = (await loadInstance(file)) as RowTiersInstance;
  const drawn = async () => {
    const { frontier } = await rowTiersCharts(plan, instance);
    const { timing: _, ...rest } = frontier as typeof frontier & { readonly timing: object };
    return JSON.stringify(rest, (key, value) => (/Seconds$/.test(key) && key !== "provedSeconds" ? undefined : value));
  };
  const before = await drawn();
  const now = performance.now.bind(performance);
  const start = now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => start + 100 * (now() - start));
  try {
    expect(await drawn()).toBe(before);
    // Otherwise the clock would have told it nothing.
    expect(performance.now() - start).toBeGreaterThan(20_000);
  } finally {
    clock.mockRestore();
  }
}, 300_000);
