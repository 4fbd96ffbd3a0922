import { expect, test } from "vitest";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import type { VerifyProgress } from "../../../../src/problems/verification/verify-steps.js";

test.each([
  ["instances/tiny/three-tiers-serial.yaml", "optimal", /^the certificate: \d+ steps? over [\d,]+ columns$/],
  ["instances/tiny/three-tiers-serial.yaml", "flexshard-2tier", /^the certificate$/],
  ["instances/tiny/placement-given.yaml", "optimal", /^the certificate: one more device or node$/],
  ["instances/tiny/towers-load.yaml", "optimal", /^the certificate: \d+ steps?$/],
  ["instances/tiny/towers-joint.yaml", "optimal", /^the certificates of 1 tower: number (\d+) of \1$/],
])("verifying the plan of %s by %s tells of every step in its turn", async (file, method, last) => {
  const instance = await loadInstance(file);
  const text = writePlan(await planInstance(instance, { method, timeLimitSeconds: 20 }));
  const seen: VerifyProgress[] = [];
  const { passed } = await verifyPlanText(
    text,
    "plan.json",
    async () => instance,
    (progress) => seen.push(progress),
  );
  expect(passed).toBe(true);
  expect([...new Set(seen.map(({ step }) => step))]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(seen.every(({ of }) => of === 6)).toBe(true);
  expect(seen.filter(({ step }) => step === 4).at(-1)?.what).toMatch(last);
});
