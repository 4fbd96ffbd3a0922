import { expect, test } from "vitest";
import { placementModel } from "../../models/table-placement/from-instance.js";
import { withMoreDevices } from "../../models/table-placement/what-if.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";
import { drawnPlacement } from "../support/drawn-placements.js";
import { placementInstance } from "../support/placement-instance.js";

// Three groups of shards on two nodes share one; on three nodes they do not, and the plan's own placement is none there.
test("what one more node is worth is not said where groups are more than nodes", async () => {
  const instance = placementInstance(drawnPlacement(4533));
  const { problem, reason } = withMoreDevices(instance, placementModel(instance));
  expect([problem, reason]).toEqual([null, "the options that the instance lists are cut for its number of devices"]);
  const plan = await planTablePlacement(instance, { gap: 0 });
  expect(plan.prices?.device.value ?? null).toBe(null);
  const { passed, checks } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
  expect(passed).toBe(true);
});
