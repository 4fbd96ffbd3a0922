import { expect, test } from "vitest";
import { loadInstance } from "../../../../src/instance/load.js";
import { planInstance } from "../../../../src/problems/plan.js";
import { planDigest } from "../../../../src/problems/plan-file/canonical-json.js";
import type { PlanOptions } from "../../../../src/problems/plan-options.js";
import type { PublishedMethods } from "../../../../src/problems/verify.js";
import { verifyPlanText } from "../../../../src/problems/verify.js";
import { changesOf, type Json, leavesOf, rememberedMethods, unseenChanges, withValue } from "./mutate.js";

const CASES: readonly { file: string; options?: PlanOptions; status: string }[] = [
  { file: "instances/tiny/three-tiers-exposed.yaml", status: "proved" },
  { file: "instances/tiny/latency.yaml", status: "proved" },
  { file: "instances/tiny/two-tables-bytes.yaml", status: "proved" },
  { file: "instances/tiny/no-row-wise.yaml", options: { solver: "highs" }, status: "proved" },
  { file: "instances/tiny/infeasible.yaml", status: "infeasible" },
  { file: "instances/tiny/one-node.yaml", options: { method: "flexshard-3tier" }, status: "heuristic" },
  { file: "instances/tiny/placement-given.yaml", status: "proved" },
  { file: "instances/tiny/placement-host-pool.yaml", options: { solver: "highs" }, status: "proved" },
  { file: "instances/tiny/placement-infeasible.yaml", status: "infeasible" },
  { file: "instances/tiny/placement-phases.yaml", status: "proved" },
  { file: "instances/tiny/placement-second-goal.yaml", status: "proved" },
  { file: "instances/tiny/placement-migration.yaml", status: "proved" },
  { file: "instances/tiny/placement-lookup.yaml", options: { method: "lookup-greedy" }, status: "heuristic" },
  { file: "instances/costs/learned-10x2.yaml", options: { method: "predicted-greedy" }, status: "heuristic" },
  { file: "instances/tiny/towers-load-sizes.yaml", status: "proved" },
  { file: "instances/tiny/towers-diverse.yaml", options: { solver: "highs" }, status: "proved" },
  { file: "instances/tiny/towers-infeasible-load.yaml", status: "infeasible" },
  { file: "instances/tiny/towers-no-sizes.yaml", status: "infeasible" },
  { file: "instances/tiny/towers-kmeans.yaml", options: { method: "tp" }, status: "heuristic" },
  { file: "instances/tiny/towers-joint-partly.yaml", status: "proved" },
  { file: "instances/tiny/towers-joint-rows.yaml", status: "proved" },
];

/** Another proof of the same bound is as good, and so is another placement of the same value behind a price, or another relaxed plan. */
const AS_GOOD = /(^|\.)certificate\.steps\.|\.relaxed\.(choices|numbering)\.|\.proof\.choices\./;

test.each(CASES)("$file: a change of any one number or word fails", { timeout: 120_000 }, async (one) => {
  const { plan, verify } = await prepared(one);
  expect((await verify(plan)).passed).toBe(true);
  const survivors: string[] = [];
  let tried = 0;
  for (const { path, value } of leavesOf(plan)) {
    for (const changed of changesOf(value)) {
      tried++;
      if ((await verify(withValue(plan, path, changed))).passed) {
        survivors.push(`${path.join(".")}: ${JSON.stringify(value)} as ${JSON.stringify(changed)}`);
      }
    }
  }
  expect(tried).toBeGreaterThan(50);
  expect(survivors).toEqual([]);
});

test.each(CASES)(
  "$file: under a digest made anew a change fails, or verify says that it did not look there",
  {
    timeout: 120_000,
  },
  async (one) => {
    const { plan, verify } = await prepared(one);
    const methods = rememberedMethods();
    const { tried, unseen } = await unseenChanges(
      plan,
      (changed) => verify(changed, methods),
      (path) => AS_GOOD.test(path),
    );
    expect(tried).toBeGreaterThan(50);
    expect(unseen).toEqual([]);
  },
);

test("runs that break the budget fail, with every number made to match", async () => {
  const { plan, verify } = await prepared({ file: "instances/tiny/one-node.yaml", status: "proved" });
  const cheaper = withValue(plan, ["tables", 0, "runs"], [[16, "data_parallel"]]) as { [key: string]: Json };
  cheaper.digest = planDigest(cheaper);
  const { checks, passed } = await verify(cheaper);
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "feasible", passed: false, detail: expect.stringContaining("memory") });
});

test("towers that break a size or a load, lack a feature or have one twice, fail", async () => {
  const { plan, verify } = await prepared({ file: "instances/tiny/towers-load.yaml", status: "proved" });
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
  const given = await prepared({ file: "instances/tiny/placement-given.yaml", status: "proved" });
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
  const pinned = await prepared({ file: "instances/tiny/placement-constraints.yaml", status: "proved" });
  const strayed = withValue(pinned.plan, ["tables", 1, "ranks"], [0]) as { [key: string]: Json };
  strayed.digest = planDigest(strayed);
  expect((await pinned.verify(strayed)).checks.at(-1)).toMatchObject({
    name: "feasible",
    passed: false,
    detail: expect.stringContaining("which is none of the table's devices"),
  });
});

async function prepared({ file, options, status }: (typeof CASES)[number]) {
  const instance = await loadInstance(file);
  const plan = JSON.parse(JSON.stringify(await planInstance(instance, options ?? {}))) as Json;
  expect(plan).toMatchObject({ status });
  return {
    plan,
    verify: (changed: Json, methods?: PublishedMethods) =>
      verifyPlanText(JSON.stringify(changed), "plan.json", async () => instance, undefined, methods),
  };
}
