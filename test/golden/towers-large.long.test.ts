import { describe, expect, test } from "vitest";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { expectRecomputed } from "../independent/recompute.js";
import { someOf } from "../support/draws.js";
import { readExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";
import { planTowerPartition } from "../support/planned.js";

/** What is known of an instance: its optimum, or the best value and a bound. */
interface Known {
  readonly objective: number;
  readonly status: "proved" | "feasible";
  readonly bound: number;
}

/** Proved within a second or two on any machine. */
const QUICK = ["planted-40x8", "uniform-40x10-kmeans", "uniform-60x20-diverse", "uniform-100x50"];

/** Seconds for the others: what is proved by then contradicts nothing that is known. */
const SHORT = 2;

describe.each(someOf(instanceFiles(["towers"], "tower-partition"), 3))("%s", (file) => {
  test("what is known of it is found again, and the plan verifies", async () => {
    const instance = requireInstance(towerPartitionReader, await loadInstance(file));
    expect(file).toContain(`/${instance.name}.yaml`);
    expect(instance.source).toMatch(/^Synthetic: /);
    const { objective, status, bound } = readExpected<Known>(file);
    const isQuick = QUICK.includes(instance.name);
    const plan = await planTowerPartition(file, isQuick ? {} : { timeLimitSeconds: SHORT });
    expectRecomputed(file, plan);
    const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
    expect(differences).toEqual([]);
    expect(passed).toBe(true);
    const value = plan.objective.value as number;
    if (isQuick) {
      expect([plan.status, status]).toEqual(["proved", "proved"]);
      // Two optimal plans may differ by the gap that was asked for.
      expect(Math.abs(value - objective)).toBeLessThanOrEqual(1e-9 * objective);
    }
    expect(value).toBeGreaterThanOrEqual(bound * (1 - 1e-9));
    if (plan.objective.bound !== null) expect(plan.objective.bound).toBeLessThanOrEqual(objective);
  });
});
