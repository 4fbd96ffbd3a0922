import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { towerInteraction } from "../../src/access/interaction/tower-interaction.js";
import { Rational } from "../../src/exact/rational.js";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { expectRecomputed } from "../independent/recompute.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { someOf } from "../support/draws.js";
import { type Expected, readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";
import { planTowerPartition } from "../support/planned.js";

/** Instances of a partition alone; those with tables choose hosts and placement too (towers-joint tests). */
const partitionFiles = (folder: string) =>
  instanceFiles([folder], "tower-partition").filter((file) => !/^tables:/m.test(readFileSync(file, "utf8")));

const IS_UPDATE = process.env.UPDATE_EXPECTED === "1";

const load = async (file: string) => requireInstance(towerPartitionReader, await loadInstance(file));

/** Plans, verifies the file's text, and returns the plan. */
async function verified(file: string, gap: number) {
  const plan = await planTowerPartition(file, { gap });
  expectRecomputed(file, plan);
  const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
  expect(differences).toEqual([]);
  expect(passed).toBe(true);
  return plan;
}

const small = ["tiny", "hostile"].flatMap(partitionFiles);

describe.each(someOf(small, 8))("%s", (file) => {
  // UPDATE_EXPECTED=1 writes the expected files anew, from brute force alone.
  test("brute force finds the expected optimum", async () => {
    const instance = await load(file);
    expect(file).toContain(`/${instance.name}.yaml`);
    expect(instance.source).toMatch(/\S/);
    const best = bruteForceTowers(instance, await towerInteraction(instance));
    const objective = best?.value.toNumber() ?? null;
    const found = { objective, status: best === null ? "infeasible" : "proved" } as const;
    if (IS_UPDATE) writeExpected(file, found);
    expect(found).toEqual(readExpected(file));
  });

  test("the exact method proves the expected optimum, and the plan verifies", async () => {
    const plan = await verified(file, 0);
    const { objective, status } = readExpected(file);
    expect(plan.status).toBe(status);
    expect(plan.objective.value).toBe(objective);
    expect(plan.exact.bound).toBe(plan.exact.value);
  });
});

test("the tiny ones have every strategy, objective, and limit", async () => {
  const all = await Promise.all(partitionFiles("tiny").map(load));
  const kinds = new Set(all.map(({ strategy, objective }) => `${strategy} ${objective}`));
  expect([...kinds].sort()).toEqual(["coherent kmeans", "coherent pairwise", "diverse kmeans", "diverse pairwise"]);
  expect(all.some(({ load }) => load?.ratio != null)).toBe(true);
  expect(all.some(({ sizeRatio }) => sizeRatio >= 2)).toBe(true);
  expect(all.some(({ interaction }) => interaction.kind === "file")).toBe(true);
  expect(all.every(({ features }) => features.length <= 9)).toBe(true);
});

describe.each(someOf(partitionFiles("paper"), 3))("%s", (file) => {
  test("the exact method proves the recorded optimum, no baseline is better, and the plan verifies", async () => {
    const instance = await load(file);
    expect(file).toContain(`/${instance.name}.yaml`);
    expect(instance.source).toContain("synthetic");
    const plan = await verified(file, 1e-9);
    if (IS_UPDATE) writeExpected<Expected>(file, { objective: plan.objective.value, status: "proved" });
    const { objective, status } = readExpected(file);
    expect(plan.status).toBe(status);
    // Two optimal plans may differ by the gap that was asked for.
    expect(Math.abs((plan.objective.value as number) - (objective as number))).toBeLessThanOrEqual(
      1e-9 * (objective as number),
    );
    for (const { method, value, aboveBound, capturedShare } of plan.baseline) {
      if (value === null) continue;
      expect(aboveBound, method).toBeGreaterThanOrEqual(0);
      expect(capturedShare, method).toBeLessThanOrEqual(1);
      expect(
        Rational.fromNumber(value).compare(Rational.parse(plan.exact.bound as string)),
        method,
      ).toBeGreaterThanOrEqual(0);
    }
  });
});
