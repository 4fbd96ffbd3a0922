import { expect, test } from "vitest";
import { wideGroups, wideInstance } from "../../bench/drawn-wide.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import type { Plan } from "../../src/problems/planning/plan.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import type { TablePlacementPlan } from "../../src/problems/table-placement/plan-file/plan-file.js";

/** Seconds of the processor that planning took: a busy machine takes no more of them. */
async function timed(
  text: string,
  options: Parameters<typeof planInstance>[1],
): Promise<{ plan: TablePlacementPlan; cpu: number }> {
  const before = process.cpuUsage();
  const plan: Plan = await planInstance(parseInstance(text, "wide.json"), options);
  const { user, system } = process.cpuUsage(before);
  return { plan: plan as TablePlacementPlan, cpu: (user + system) / 1e6 };
}

// Local search on 2,048 devices went on for half a minute before anything looked at the clock, and no bound was proved.
test("tables on 2,048 devices have a plan and a proved bound however little time there is", async () => {
  const { plan, cpu } = await timed(wideInstance({ tables: 30, nodes: 256 }), { timeLimitSeconds: 0.5 });
  expect(plan.status === "feasible" || plan.status === "proved").toBe(true);
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(plan.devices).toHaveLength(2048);
  expect(cpu).toBeLessThan(15);
}, 120_000);

test("so have the most tables on the most devices, and the file says how long it took", async () => {
  const started = performance.now();
  const { plan, cpu } = await timed(wideInstance({ tables: 20, nodes: 8192 }), { timeLimitSeconds: 1 });
  const seconds = (performance.now() - started) / 1000;
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(plan.devices).toHaveLength(65536);
  expect(cpu).toBeLessThan(25);
  expect(plan.timing.totalSeconds).toBeGreaterThan(0.5 * seconds);
  expect(plan.timing.totalSeconds).toBeLessThanOrEqual(seconds);
}, 240_000);

test("groups of every size of 8,192 devices have a plan and a bound of all sizes", async () => {
  const { plan, cpu } = await timed(wideGroups({ tables: 4, nodes: 1024 }), { timeLimitSeconds: 0.5 });
  expect(plan.objective.value).toBeGreaterThan(0);
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(cpu).toBeLessThan(15);
}, 120_000);

test("what is asked to stop at once still says what adding up proves: a bound, or that nothing fits", async () => {
  const stop = { shouldStop: () => true };
  const { plan } = await timed(wideInstance({ tables: 20, nodes: 256 }), stop);
  expect(plan.objective.bound).toBeGreaterThan(0);
  const short = JSON.parse(wideInstance({ tables: 20, nodes: 256 }));
  for (const { options } of short.tables) for (const option of options) option.shards[0][1].hbmBytes = 1e6;
  const { plan: none, cpu } = await timed(JSON.stringify(short), stop);
  expect(none.status).toBe("infeasible");
  expect(none.infeasibility?.explanation).toMatch(/bytes/);
  expect(cpu).toBeLessThan(15);
}, 120_000);
