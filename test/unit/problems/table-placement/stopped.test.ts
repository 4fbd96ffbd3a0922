import { expect, test } from "vitest";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";

const FILE = "instances/public/hugectr-t7.yaml";

test("a search that somebody stopped says so, and its plan verifies", async () => {
  const plan = await planTablePlacement(FILE, { shouldStop: () => true });
  expect(["feasible", "unknown"]).toContain(plan.status);
  expect(plan.stopped).toBe(true);
  const { passed } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
  expect(passed).toBe(true);
});

test("one that ended by itself, or by its time limit, says nothing of it", async () => {
  const proved = await planTablePlacement("instances/tiny/placement-given.yaml", { shouldStop: () => false });
  expect([proved.status, proved.stopped]).toEqual(["proved", undefined]);
  const limited = await planTablePlacement(FILE, { timeLimitSeconds: 0.01 });
  expect(limited.stopped).toBeUndefined();
});
