import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { wideGroups, wideInstance } from "../../bench/drawn-wide.js";
import type { TablePlacementPlan } from "../../src/problems/table-placement/plan-file/plan-file.js";

/** What a process of its own found: of the plan what is looked at here, and seconds of the processor and of the clock. */
interface Measured {
  readonly plan: Pick<TablePlacementPlan, "status" | "objective" | "infeasibility" | "timing">;
  readonly devices: number | undefined;
  readonly cpu: number;
  readonly seconds: number;
}

const MEASURE = `
import { readFileSync } from "node:fs";
import { parseInstance } from "./build/src/problems/planning/instances.js";
import { planInstance } from "./build/src/problems/planning/plan.js";
const [text, options] = JSON.parse(readFileSync(0, "utf8"));
const before = process.cpuUsage();
const started = performance.now();
const stop = options.stopped ? { shouldStop: () => true } : {};
const { status, objective, infeasibility, timing, devices } = await planInstance(parseInstance(text, "wide.json"), { ...options, ...stop });
const { user, system } = process.cpuUsage(before);
const plan = { status, objective, infeasibility, timing };
console.log(JSON.stringify({ plan, devices: devices?.length, cpu: (user + system) / 1e6, seconds: (performance.now() - started) / 1000 }));
`;

/**
 * Planning in a process of its own, measured in seconds of the processor: a busy machine takes no more of them, and what other
 * tests of this process hold is not gone through by the collector of garbage.
 */
function timed(text: string, options: { readonly timeLimitSeconds?: number; readonly stopped?: boolean }): Measured {
  const input = JSON.stringify([text, options]);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", MEASURE], {
    input,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

// Local search on 2,048 devices went on for half a minute before anything looked at the clock, and no bound was proved.
test("tables on 2,048 devices have a plan and a proved bound however little time there is", () => {
  const { plan, devices, cpu } = timed(wideInstance({ tables: 30, nodes: 256 }), { timeLimitSeconds: 0.5 });
  expect(plan.status === "feasible" || plan.status === "proved").toBe(true);
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(devices).toBe(2048);
  expect(cpu).toBeLessThan(15);
}, 120_000);

test("so have the most tables on the most devices, and the file says how long it took", () => {
  const { plan, devices, cpu, seconds } = timed(wideInstance({ tables: 20, nodes: 8192 }), { timeLimitSeconds: 1 });
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(devices).toBe(65536);
  expect(cpu).toBeLessThan(25);
  expect(plan.timing.totalSeconds).toBeGreaterThan(0.5 * seconds);
  expect(plan.timing.totalSeconds).toBeLessThanOrEqual(seconds);
}, 240_000);

test("groups of every size of 8,192 devices have a plan and a bound of all sizes", () => {
  const { plan, cpu } = timed(wideGroups({ tables: 4, nodes: 1024 }), { timeLimitSeconds: 0.5 });
  expect(plan.objective.value).toBeGreaterThan(0);
  expect(plan.objective.bound).toBeGreaterThan(0);
  expect(cpu).toBeLessThan(15);
}, 120_000);

test("what is asked to stop at once still says what adding up proves: a bound, or that nothing fits", () => {
  const stop = { stopped: true };
  const { plan } = timed(wideInstance({ tables: 20, nodes: 256 }), stop);
  expect(plan.objective.bound).toBeGreaterThan(0);
  const short = JSON.parse(wideInstance({ tables: 20, nodes: 256 }));
  for (const { options } of short.tables) for (const option of options) option.shards[0][1].hbmBytes = 1e6;
  const { plan: none, cpu } = timed(JSON.stringify(short), stop);
  expect(none.status).toBe("infeasible");
  expect(none.infeasibility?.explanation).toMatch(/bytes/);
  expect(cpu).toBeLessThan(15);
}, 120_000);
