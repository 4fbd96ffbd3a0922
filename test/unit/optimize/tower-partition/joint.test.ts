import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { towerPlacementProblem } from "../../../../models/tower-placement/placement-problem.js";
import { type Random, seededRandom } from "../../../../src/exact/random.js";
import { loadInstance, requireTowerPartition } from "../../../../src/instance/load.js";
import type { TowerJoint } from "../../../../src/instance/tower-partition-instance.js";
import { dealtPlacement } from "../../../../src/optimize/tower-partition/joint/dealt-placement.js";
import { planTowerPartition } from "../../../../src/optimize/tower-partition/plan.js";
import { writePlan } from "../../../../src/plan/write-plan.js";
import { verifyPlanText } from "../../../../src/verify/plan-text.js";

function problemOf(
  tables: readonly (readonly [rows: number, dim: number])[],
  gpus: number,
  hbmBytesPerGpu: number | null,
) {
  const joint = {
    cluster: { nodes: 1, gpusPerNode: gpus, hbmBytesPerGpu },
    tables: tables.map(([rows, dim]) => ({ rows, dim, elementBytes: 1, poolingFactor: 1 })),
  } as unknown as TowerJoint;
  const names = tables.map((_, t) => `t${t}`);
  return towerPlacementProblem(joint, "dealt", [...names.keys()], names, 1);
}

function largestOf(problem: ReturnType<typeof problemOf>): number | null {
  const placement = dealtPlacement(problem);
  if (placement === null) return null;
  const { largest, violations } = evaluatePlacement(problem, placement);
  expect(violations).toEqual([]);
  return largest.toNumber();
}

test.each<[string, readonly (readonly [number, number])[], number, number | null, number | null]>([
  [
    "one GPU holds all",
    [
      [5, 3],
      [5, 4],
    ],
    1,
    null,
    7,
  ],
  [
    "tables that are alike",
    [
      [5, 8],
      [5, 8],
      [5, 8],
      [5, 8],
    ],
    4,
    null,
    8,
  ],
  [
    "a wide one in parts beside narrow ones",
    [
      [5, 12],
      [5, 2],
      [5, 2],
    ],
    4,
    null,
    5,
  ],
  ["as many parts as columns", [[5, 4]], 8, null, 1],
  ["rows over all GPUs, where no part of columns fits", [[8, 2]], 4, 4, 2],
  ["too little memory", [[8, 2]], 4, 3, null],
])("tables dealt out by hand: %s", (_what, tables, gpus, hbm, largest) => {
  expect(largestOf(problemOf(tables, gpus, hbm))).toBe(largest);
});

test("what is dealt out is within the memory, and less than twice the least there can be where memory is ample", () => {
  const random: Random = seededRandom(11);
  for (let k = 0; k < 200; k++) {
    const gpus = 1 + random.integer(9);
    const tables = Array.from(
      { length: 1 + random.integer(6) },
      () => [8 + random.integer(9), 1 + random.integer(20)] as const,
    );
    const bytes = tables.reduce((sum, [rows, dim]) => sum + rows * dim, 0);
    largestOf(problemOf(tables, gpus, Math.ceil((bytes / gpus) * (1 + random.next()))));
    const elements = tables.reduce((sum, [, dim]) => sum + dim, 0);
    const largest = largestOf(problemOf(tables, gpus, null)) as number;
    // Parts are halves of a table at worst as wide again as the limit, and one more of them comes on top of the mean.
    expect(largest).toBeLessThan(2 * (elements / gpus + 1));
  }
});

test("512 GPUs in little time: a plan for every number of towers, which verifies", async () => {
  const small = requireTowerPartition(await loadInstance("instances/paper/criteo26-joint.yaml"));
  if (small.joint === undefined) throw new Error("no joint instance");
  const { joint } = small;
  const instance = { ...small, joint: { ...joint, cluster: { ...joint.cluster, nodes: 64 } }, towers: 16 };
  const started = performance.now();
  const plan = await planTowerPartition(instance, { timeLimitSeconds: 1 });
  expect((performance.now() - started) / 1000).toBeLessThan(8);
  expect(plan.joint?.rows.map(({ towers, seconds }) => [towers, seconds.value !== null])).toEqual(
    [16, 8, 4, 2, 1].map((towers) => [towers, true]),
  );
  // The program of one tower of 512 GPUs alone takes longer to be built.
  expect(plan.status).toBe("unknown");
  const { passed } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(passed).toBe(true);
}, 40_000);

test("stopped at once it still has towers and places, and proves nothing of them", async () => {
  const started = performance.now();
  const plan = await planTowerPartition("instances/paper/criteo26-joint.yaml", { shouldStop: () => true });
  expect(performance.now() - started).toBeLessThan(5000);
  expect(plan.status).toBe("unknown");
  for (const { seconds, placements } of plan.joint?.rows ?? []) {
    expect(seconds.value).toBeGreaterThan(0);
    expect(placements?.map(({ certificate }) => certificate)).toEqual(placements?.map(() => null));
  }
});
