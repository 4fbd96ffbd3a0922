import { expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { publishedMethods, verifyPlanText } from "../../../../src/problems/planning/verify.js";
import { planTowerPartition } from "../../../support/planned.js";

const FILE = "instances/tiny/towers-joint-partly.yaml";

// Published methods run for the chosen number of towers: a number that is none ended in their own errors.
test.each([-1, 0, 0.5, 7])("a file that chooses %d towers is refused before any method runs", async (towers) => {
  const plan = await planTowerPartition(FILE);
  const forged = { ...plan, joint: { ...plan.joint, chosen: { towers, hostsPerTower: 2 } } };
  const text = writePlan({ ...forged, digest: planDigest(forged) });
  const { passed, checks } = await verifyPlanText(
    text,
    "plan.json",
    loadInstance,
    undefined,
    publishedMethods("quick"),
  );
  expect(passed).toBe(false);
  expect(checks.at(-1)).toEqual({
    name: "joint",
    passed: false,
    detail: `${towers} is none of the numbers of towers that the cluster has`,
  });
});
