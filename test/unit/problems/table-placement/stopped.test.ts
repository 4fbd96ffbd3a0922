import { expect, test } from "vitest";
import { loadInstance } from "../../../../src/problems/instances.js";
import { writePlan } from "../../../../src/problems/plan-file/write-plan.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";
import { verifyPlanText } from "../../../../src/problems/verify.js";

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
