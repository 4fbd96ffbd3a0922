import { expect, test } from "vitest";
import { towerPlacementProblem } from "../../../../../models/joint-towers/placement-problem.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { type Random, seededRandom } from "../../../../../src/exact/random.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import type { TowerJoint } from "../../../../../src/instance/types/tower-partition.js";
import { writePlan } from "../../../../../src/plan-file/write-plan.js";
import { dealtPlacement, packedPlacement } from "../../../../../src/problems/joint-towers/solve/ready-placement.js";
import { loadInstance } from "../../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../../../../src/problems/tower-partition/instance/reader.js";
import { leastElements } from "../../../../support/brute-force-joint.js";
import { planTowerPartition } from "../../../../support/planned.js";
import { onSteppingClock } from "../../../../support/stepping-clock.js";

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
  const small = requireInstance(towerPartitionReader, await loadInstance("instances/paper/criteo26-joint.yaml"));
  if (small.joint === undefined) throw new Error("no joint instance");
  const { joint } = small;
  const instance = { ...small, joint: { ...joint, cluster: { ...joint.cluster, nodes: 64 } }, towers: 16 };
  const { result: plan, looks } = await onSteppingClock(5, () => planTowerPartition(instance, { timeLimitSeconds: 1 }));
  expect((looks * 5) / 1000).toBeLessThan(8);
  expect(plan.joint?.rows.map(({ towers, seconds }) => [towers, seconds.value !== null])).toEqual(
    [16, 8, 4, 2, 1].map((towers) => [towers, true]),
  );
  // The program of one tower of 512 GPUs alone takes longer to be built: of it there is the bound of any partition alone.
  expect(plan.status).toBe("feasible");
  expect(plan.joint?.rows.at(-1)).toMatchObject({ towers: 1, status: "feasible", placements: [{ certificate: null }] });
  const { passed } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(passed).toBe(true);
}, 40_000);

test("stopped at once it still has towers and places, and proves nothing of them", async () => {
  let asked = 0;
  const shouldStop = () => ++asked > 0;
  const plan = await planTowerPartition("instances/paper/criteo26-joint.yaml", { shouldStop });
  // Each number of towers has its searches, and each of these ends at its own question.
  expect(asked).toBeLessThan(200);
  expect(plan.status).toBe("feasible");
  for (const { seconds, placements, status, partition } of plan.joint?.rows ?? []) {
    // What no partition and no place is below is known without a search.
    expect([status, partition.certificate]).toEqual(["feasible", null]);
    expect(seconds.bound).toBeGreaterThan(0);
    expect(seconds.value).toBeGreaterThan(seconds.bound as number);
    expect(placements?.map(({ certificate }) => certificate)).toEqual(placements?.map(() => null));
  }
});

test("packing finds a place where there is one, and none where there is none", () => {
  const random: Random = seededRandom(12);
  const seen = { placed: 0, undealt: 0, none: 0 };
  for (let k = 0; k < 150; k++) {
    const gpus = 2 + random.integer(2);
    const tables = Array.from({ length: 2 + random.integer(3) }, () => [1 + random.integer(9), 1] as const);
    const bytes = tables.reduce((sum, [rows, dim]) => sum + rows * dim, 0);
    const memory = Math.ceil(bytes / gpus) + random.integer(2);
    const problem = problemOf(tables, gpus, memory);
    const placement = packedPlacement(problem);
    const named = tables.map(([rows, dim]) => ({ rows, dim, elementBytes: 1, poolingFactor: 1 }));
    expect([k, placement === null]).toEqual([k, leastElements(named, gpus, memory) === null]);
    if (placement !== null) expect(evaluatePlacement(problem, placement).violations).toEqual([]);
    seen[placement === null ? "none" : dealtPlacement(problem) === null ? "undealt" : "placed"]++;
  }
  expect(seen.placed).toBeGreaterThan(10);
  expect(seen.undealt).toBeGreaterThan(5);
  expect(seen.none).toBeGreaterThan(10);
});

test("without time to prove a partition a place is found for some, and the number of towers stays open", async () => {
  const plan = await planTowerPartition("instances/tiny/towers-joint-packing.yaml", { shouldStop: () => true });
  // As fast as any partition can be; that this one is the best by its objective is not proved.
  const open = { status: "feasible", reason: "partition not proved", seconds: { gap: 0 } };
  expect(plan.joint?.rows).toMatchObject([
    { ...open, towers: 2, partition: { status: "unknown", certificate: null } },
    { ...open, towers: 1, partition: { status: "unknown", certificate: null } },
  ]);
  expect(plan.status).toBe("feasible");
  const { passed } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
  expect(passed).toBe(true);
});
