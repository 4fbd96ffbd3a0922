import { expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import { type Json, withValue } from "../../../support/mutate.js";

test("runs that break the budget fail, with every number made to match", async () => {
  const { plan, verify } = await prepared("instances/tiny/one-node.yaml");
  const cheaper = withValue(plan, ["tables", 0, "runs"], [[16, "data_parallel"]]) as { [key: string]: Json };
  cheaper.digest = planDigest(cheaper);
  const { checks, passed } = await verify(cheaper);
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "feasible", passed: false, detail: expect.stringContaining("memory") });
});

test("towers that break a size or a load, lack a feature or have one twice, fail", async () => {
  const { plan, verify } = await prepared("instances/tiny/towers-load.yaml");
  const said = async (towers: readonly (readonly string[])[]) => {
    const forged = withValue(plan, ["towers"], towers as Json) as { [key: string]: Json };
    forged.digest = planDigest(forged);
    const { passed, checks } = await verify(forged);
    expect(passed).toBe(false);
    return `${checks.at(-1)?.name}: ${checks.at(-1)?.detail}`;
  };
  const allowed = "all towers have 3";
  expect(
    await said([
      ["f0", "f1"],
      ["f2", "f3", "f4", "f5"],
    ]),
  ).toContain(`feasible: tower 0 has 2 features, 1 too few: ${allowed}`);
  expect(
    await said([
      ["f0", "f1", "f2"],
      ["f3", "f4", "f5"],
    ]),
  ).toContain("feasible: tower 0 carries 9, 1.5 more than the 7.5");
  expect(
    await said([
      ["f0", "f1", "f3"],
      ["f2", "f4"],
    ]),
  ).toBe('towers: the feature "f5" is in no tower');
  expect(
    await said([
      ["f0", "f1", "f3"],
      ["f2", "f4", "f5", "f5"],
    ]),
  ).toBe('towers: the feature "f5" is there twice');
  expect(
    await said([
      ["f0", "f1", "f3"],
      ["f2", "f4", "f5", "f6"],
    ]),
  ).toBe('towers: the instance has no feature "f6"');
  expect(await said([["f0", "f1", "f2", "f3", "f4", "f5"]])).toBe("towers: 2 towers expected, 1 there");
});

test("a placement that breaks a device's memory, or puts a shard where it may not be, fails", async () => {
  const given = await prepared("instances/tiny/placement-given.yaml");
  // The tables a and b are together too large for any device.
  const { tables } = given.plan as unknown as { tables: readonly { ranks: readonly number[] }[] };
  const crowded = withValue(given.plan, ["tables", 1, "ranks"], tables[0]?.ranks as Json) as { [key: string]: Json };
  crowded.digest = planDigest(crowded);
  const { checks } = await given.verify(crowded);
  expect(checks.at(-1)).toMatchObject({
    name: "feasible",
    passed: false,
    detail: expect.stringMatching(/^the memory of device \d is exceeded by \d+ bytes$/),
  });
  const pinned = await prepared("instances/tiny/placement-constraints.yaml");
  const strayed = withValue(pinned.plan, ["tables", 1, "ranks"], [0]) as { [key: string]: Json };
  strayed.digest = planDigest(strayed);
  expect((await pinned.verify(strayed)).checks.at(-1)).toMatchObject({
    name: "feasible",
    passed: false,
    detail: expect.stringContaining("which is none of the table's devices"),
  });
});

async function prepared(file: string) {
  const instance = await loadInstance(file);
  const plan = JSON.parse(JSON.stringify(await planInstance(instance))) as Json;
  expect(plan).toMatchObject({ status: "proved" });
  return {
    plan,
    verify: (changed: Json) => verifyPlanText(JSON.stringify(changed), "plan.json", async () => instance),
  };
}
