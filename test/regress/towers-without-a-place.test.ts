import { expect, test } from "vitest";
import { towerPlacementProblem } from "../../models/joint-towers/placement-problem.js";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { evaluateTowers } from "../../models/tower-partition/evaluate.js";
import { towerInteraction } from "../../src/access/interaction/tower-interaction.js";
import { Rational } from "../../src/exact/rational.js";
import { requireInstance } from "../../src/instance/reader.js";
import type { TowerJoint, TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import type { JointPlan, TowersPlan } from "../../src/problems/joint-towers/plan-file/plan-file.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { writtenChoices } from "../../src/problems/table-placement/plan-file/written-choices.js";
import { solvePlacement } from "../../src/problems/table-placement/solve/solve.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { bruteForceJoint } from "../support/brute-force-joint.js";
import { planTowerPartition } from "../support/planned.js";

/*
 * A number of towers was called infeasible where the tables of one best partition had no place. Another partition may have one; and
 * whoever wrote a plan file could take a number of towers out of the choice with a partition of no merit.
 */

const LOAD = "instances/tiny/towers-joint-load.yaml";
const PACKING = "instances/tiny/towers-joint-packing.yaml";

async function instanceOf(file: string): Promise<TowerPartitionInstance & { readonly joint: TowerJoint }> {
  const instance = requireInstance(towerPartitionReader, await loadInstance(file));
  if (instance.joint === undefined) throw new Error("no joint instance");
  return { ...instance, joint: instance.joint };
}

test("memory limits towers beside the instance's own loads", async () => {
  const plan = await planTowerPartition(LOAD);
  expect(plan.status).toBe("proved");
  expect(plan.towers?.map((tower) => tower.filter((name) => name === "a" || name === "b").length)).toEqual([1, 1]);
  expect(plan.objective).toMatchObject({ value: 1.8, bound: 1.8, gap: 0 });
  // Nothing was left out on the way: the bytes of a and b are too many for a tower by themselves.
  expect(plan.joint?.rows[0]?.partition.unplaceable).toBeUndefined();
  expect((await verifyPlanText(writePlan(plan), "plan.json", loadInstance)).passed).toBe(true);
});

test("features whose tables have no place together are kept apart, and the best of the other partitions is proved", async () => {
  const instance = await instanceOf(PACKING);
  const plan = await planTowerPartition(PACKING);
  expect(plan.status).toBe("proved");
  expect(plan.towers?.map((tower) => tower.filter((name) => name.startsWith("a")).length).sort()).toEqual([1, 2]);
  const [two] = plan.joint?.rows ?? [];
  expect(two?.partition.unplaceable?.map(({ features }) => features)).toEqual([["a1", "a2", "a3"]]);
  expect(two?.partition.status).toBe("proved");
  const tried = bruteForceJoint(instance, instance.joint, await towerInteraction(instance));
  for (const { towers, seconds } of tried) {
    const row = plan.joint?.rows.find((one) => one.towers === towers);
    expect(Math.min(...seconds.map((one) => Math.abs(one - (row?.seconds.value ?? 0)))), `${towers}`).toBeLessThan(
      1e-15,
    );
  }
  expect((await verifyPlanText(writePlan(plan), "plan.json", loadInstance)).passed).toBe(true);
});

/** A plan of one tower, with a row of two towers beside it that says what suits it. */
async function forged(change: (joint: JointPlan) => Partial<JointPlan>): Promise<string> {
  const honest = await planTowerPartition(PACKING);
  const one = await planTowerPartition({ ...(await instanceOf(PACKING)), towers: 1, joint: await onlyOneTower() });
  const joint = one.joint as JointPlan;
  const plan: TowersPlan = { ...one, instance: honest.instance, joint: { ...joint, ...change(joint) } };
  return writePlan({ ...plan, digest: planDigest(plan) });
}

async function onlyOneTower(): Promise<TowerJoint> {
  return { ...(await instanceOf(PACKING)).joint, towers: 1 };
}

test("a partition without a place, whatever its merit, takes no number of towers out of the choice", async () => {
  const { joint: setting, features, name } = await instanceOf(PACKING);
  const placed = await Promise.all(
    [
      [0, 1, 2],
      [3, 4, 5],
    ].map(async (tower) => {
      const problem = towerPlacementProblem(setting, name, tower, features, 1);
      return solvePlacement(problem, { gap: Rational.zero, timeLimitSeconds: 30, seed: 0 });
    }),
  );
  expect(placed.map(({ verdict }) => verdict?.status)).toEqual(["infeasible", "proved"]);
  const nothing = { value: null, bound: null, gap: null, exact: { value: null, bound: null } };
  const numbering = [0, 0, 0, 1, 1, 1];
  const instance = await instanceOf(PACKING);
  const { value } = evaluateTowers(
    towerGrouping({ ...instance, towers: 2 }, await towerInteraction(instance)),
    numbering,
  );
  const text = await forged(({ rows }) => ({
    rows: [
      {
        ...{ towers: 2, hostsPerTower: 1, status: "infeasible", seconds: nothing, idSeconds: null },
        reason: "the tables of tower 0 have no place in the memory of its GPUs",
        partition: {
          ...{ status: "unknown", value: value.toNumber(), bound: null, gap: null },
          ...{ exact: { value: value.toString(), bound: null }, numbering, certificate: null },
        },
        ...{ largestElements: null, largestBytes: null },
        placements: placed.map(({ verdict, certificate, placement }) => ({
          status: verdict?.status ?? "unknown",
          largestElements: verdict?.value?.toNumber() ?? null,
          bound: verdict?.bound?.toString() ?? null,
          choices: placement === null ? null : writtenChoices(placement),
          certificate,
        })),
      },
      ...rows,
    ],
  }));
  const { passed, differences } = await verifyPlanText(text, "plan.json", loadInstance);
  expect(passed).toBe(false);
  const told = differences.map(({ path }) => path);
  expect(told).toContain("joint.rows[0].status");
  expect(told).toContain("status");
});

test("what is said to have no place is checked on the tables themselves", async () => {
  const text = writePlan(await planTowerPartition(PACKING));
  const plan: TowersPlan = JSON.parse(text);
  const changed = (features: readonly string[]) => {
    const rows = plan.joint?.rows.map((row) => {
      const [first] = row.partition.unplaceable ?? [];
      const unplaceable = first === undefined ? {} : { unplaceable: [{ ...first, features }] };
      return { ...row, partition: { ...row.partition, ...unplaceable } };
    });
    const next = { ...plan, joint: { ...(plan.joint as JointPlan), rows: rows ?? [] } };
    return writePlan({ ...next, digest: planDigest(next) });
  };
  for (const [features, complaint] of [
    [["a1", "a2"], /program/],
    [["a1", "a2", "b1"], /./],
    [["a1", "a3", "a2"], /in the order of the instance/],
    [["a1", "a2", "x"], /no feature "x"/],
  ] as const) {
    const { passed, checks } = await verifyPlanText(changed(features), "plan.json", loadInstance);
    expect([features, passed]).toEqual([features, false]);
    expect(checks.find(({ passed: holds }) => !holds)?.detail).toMatch(complaint);
  }
});
