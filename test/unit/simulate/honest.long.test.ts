import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { seededRandom } from "../../../src/exact/random.js";
import { planDigest } from "../../../src/plan-file/canonical-json.js";
import type { WrittenPlan } from "../../../src/problems/row-tiers/plan-file/plan-file.js";
import { studentLimit } from "../../../src/simulate/observation.js";
import { simulatePlan } from "../../../src/simulate/simulate.js";
import { tinyInstance } from "../../support/tiny-instance.js";
import { writtenPlan } from "./support.js";

/** Numbers in a plan file changed by hand, the digest with them. */
function changed(
  plan: WrittenPlan,
  path: readonly (string | number)[],
  change: (value: number) => number,
): WrittenPlan {
  const copy = structuredClone(plan);
  let at = copy as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1) as string;
  at[last] = change(at[last] as number);
  return { ...copy, digest: planDigest(copy) };
}

/** Paths of the numbers in a part of a plan. */
function* numbersIn(value: unknown, path: readonly (string | number)[]): Generator<readonly (string | number)[]> {
  if (typeof value === "number") yield path;
  else if (Array.isArray(value)) for (const [k, part] of value.entries()) yield* numbersIn(part, [...path, k]);
  else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) yield* numbersIn(part, [...path, key]);
  }
}

const cluster = { ...tinyInstance([]).instance.cluster, nodes: 2, gpusPerNode: 1 };

describe("tables that are hardly ever read", () => {
  test("a share of nothing is not compared: the plan does not differ", async () => {
    const { instance, access } = tinyInstance(
      [
        { dim: 4, histogram: [[10, 0.001]] },
        { dim: 4, histogram: [[10, 0.5]] },
      ],
      { cluster, tiers: ["row_wise"], training: { batchPerGpu: 1, replicaMemoryFactor: 6 } },
    );
    const plan = writtenPlan(instance, access, [[[10, "row_wise"]], [[10, "row_wise"]]]);
    let none = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { verdict, comparisons } = await simulatePlan(plan, instance, access, { seed });
      expect(verdict).toMatchObject({ within: true, outside: 0 });
      const share = comparisons.find(({ quantity, table }) => quantity === "access share" && table === "t0");
      if (share?.observed === null) none++;
      expect(share).toMatchObject(
        share?.observed === null ? { reading: "none seen", z: null } : { reading: "agrees", observed: 1 },
      );
    }
    expect(none).toBeGreaterThan(0);
    expect(none).toBeLessThan(20);
  });

  test("a lookup with a chance of one in thousands is no 110 standard errors", async () => {
    const { instance, access } = tinyInstance(
      [
        { dim: 4, histogram: [[10, 1e-8]] },
        { dim: 4, histogram: [[1, 0.5]] },
      ],
      {
        cluster,
        tiers: ["row_wise", "data_parallel"],
        training: { batchPerGpu: 4096, replicaMemoryFactor: 6 },
      },
    );
    const plan = writtenPlan(instance, access, [
      [
        [5, "data_parallel"],
        [5, "row_wise"],
      ],
      [[1, "row_wise"]],
    ]);
    let seen = 0;
    for (let seed = 0; seed < 300; seed++) {
      const { verdict, comparisons } = await simulatePlan(plan, instance, access, { seed, batches: 3 });
      seen += comparisons.some(({ table, observed, z }) => table === "t0" && z !== null && (observed ?? 0) > 0) ? 1 : 0;
      expect(verdict).toMatchObject({ outcome: "agrees", outside: 0 });
      expect(verdict.largestZ).toBeLessThanOrEqual(4);
    }
    expect(seen).toBeGreaterThan(0);
  });

  test("where nothing that is left to chance can be told, the verdict says so", async () => {
    const { instance, access } = tinyInstance([{ dim: 4, histogram: [[10, 1e-3]] }], { tiers: ["row_wise"] });
    const plan = writtenPlan(instance, access, [[[10, "row_wise"]]]);
    const { verdict } = await simulatePlan(plan, instance, access, { batches: 1 });
    expect(verdict).toMatchObject({ outcome: "too few", within: true });
  });
});

describe("short logs of the plan's own law", () => {
  const HISTOGRAM: [number, number][] = [
    [5, 0.9],
    [20, 0.3],
    [35, 0.02],
  ];
  const { instance, access } = tinyInstance([{ dim: 4, histogram: HISTOGRAM }]);
  const plan = writtenPlan(instance, access, [
    [
      [4, "data_parallel"],
      [16, "flex"],
      [40, "row_wise"],
    ],
  ]);
  const chances = HISTOGRAM.flatMap(([rows, appearances]) => Array.from({ length: rows }, () => appearances));

  test.each([2, 3, 5, 10, 29, 30, 100])("of %i samples are no contradiction of it", async (samples) => {
    const folder = mkdtempSync(join(tmpdir(), "shardproof-honest-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "log.txt");
    const random = seededRandom(samples);
    const outcomes = { agrees: 0, differs: 0, "too few": 0 };
    for (let log = 0; log < 200; log++) {
      const lines = Array.from({ length: samples }, () =>
        chances.flatMap((chance, rank) => (random.next() < chance ? [rank] : [])).join(" "),
      );
      writeFileSync(file, `${lines.join("\n")}\n`);
      const { verdict } = await simulatePlan(plan, instance, access, { events: { file } });
      outcomes[verdict.outcome]++;
    }
    // By Bernstein's inequality, over the eight or so numbers that are left to chance: at most one in 180.
    expect(outcomes.differs).toBeLessThanOrEqual(1);
    if (samples < 30) expect(outcomes["too few"]).toBe(200);
    else expect(outcomes.agrees).toBeGreaterThanOrEqual(198);
  });
});

const { instance, access } = tinyInstance(
  [
    {
      dim: 4,
      histogram: [
        [30, 0.5],
        [100, 0.01],
        [400, 1e-4],
      ],
    },
    {
      dim: 16,
      histogram: [
        [10, 1.25],
        [50, 0.02],
      ],
    },
  ],
  {
    tiers: ["data_parallel", "flex", "row_wise", "host"],
    cluster: {
      ...tinyInstance([]).instance.cluster,
      bandwidth: { ...tinyInstance([]).instance.cluster.bandwidth, hostToDevice: 200 },
      hbmBytesPerGpu: 1e6,
      hostBytesPerNode: 10_000,
    },
  },
);
const RUNS = [
  [
    [20, "data_parallel"],
    [40, "flex"],
    [70, "row_wise"],
    [400, "host"],
  ],
  [
    [8, "data_parallel"],
    [12, "flex"],
    [40, "row_wise"],
  ],
] as const;

test("false alarms over 200 seeds are as rare as the limit says", async () => {
  const right = writtenPlan(instance, access, RUNS);
  let [numbers, alarms] = [0, 0];
  for (let seed = 0; seed < 200; seed++) {
    const { comparisons } = await simulatePlan(right, instance, access, { batches: 1 + (seed % 3), seed });
    const chances = comparisons.filter(({ z }) => z !== null);
    numbers += chances.length;
    alarms += comparisons.filter(({ within }) => !within).length;
  }
  expect(numbers).toBeGreaterThan(4000);
  expect(alarms).toBeLessThanOrEqual(Math.ceil(numbers * 2 * Math.exp(-8)));
});

describe.each(["serial", "exposed", "channels"] as const)("objective %s", (objective) => {
  const of = { ...instance, objective };
  const right = writtenPlan(of, access, RUNS);
  const compared = [
    ...numbersIn(right.tables, ["tables"]),
    ...numbersIn(right.memory, ["memory"]),
    ...numbersIn(right.collectives, ["collectives"]),
    ["objective", "value"],
  ].filter((path) => !path.includes("runs"));

  test("the right plan agrees", async () => {
    const { verdict } = await simulatePlan(right, of, access, { batches: 100 });
    expect(verdict).toMatchObject({ outcome: "agrees", outside: 0 });
  });

  test("a number half as large again, or smaller by as much, never agrees: it differs, or cannot be told", async () => {
    const judged = { differs: 0, "too few": 0 };
    for (const path of compared) {
      for (const factor of [1.5, 1 / 1.5]) {
        const wrong = changed(right, path, (value) => value * factor);
        if (planDigest(wrong) === right.digest) continue;
        const { verdict, comparisons } = await simulatePlan(wrong, of, access, { batches: 1, seed: 3 });
        const before = await simulatePlan(right, of, access, { batches: 1, seed: 3 });
        const isNew = (k: number) => comparisons[k]?.predicted !== before.comparisons[k]?.predicted;
        const readings = comparisons.filter((_, k) => isNew(k)).map(({ reading }) => reading);
        // A tier's share of reads is in the line of the reduction, too.
        expect(readings.length, path.join(".")).toBeGreaterThan(0);
        expect(readings.slice(0, 1), path.join(".")).not.toContain("agrees");
        judged[verdict.within ? "too few" : "differs"]++;
      }
    }
    expect(judged.differs).toBeGreaterThan(20);
    expect(judged["too few"]).toBeGreaterThan(0);
  });

  test.each([
    { path: ["objective", "value"], change: (value: number) => value / 2 },
    { path: ["tables", 0, "tiers", 1, "rows"], change: () => 999 },
    { path: ["tables", 1, "rows"], change: (value: number) => value + 1 },
    { path: ["memory", "budgetBytesPerGpu"], change: () => 1 },
    { path: ["memory", "hbmBytesPerGpu"], change: () => 1 },
    { path: ["memory", "host", "budgetBytesPerNode"], change: () => 1 },
  ])("$path changed differs", async ({ path, change }) => {
    // Enough to tell the objective; the others need none.
    const { verdict } = await simulatePlan(changed(right, path, change), of, access, { batches: 20 });
    expect(verdict).toMatchObject({ outcome: "differs", within: false, outside: 1 });
  });

  test("what was changed after the digest differs, even what is not compared", async () => {
    const wrong = structuredClone(right);
    (wrong.objective as { bound: number | null }).bound = 0.5;
    const { verdict, plan, notCompared } = await simulatePlan(wrong, of, access, { batches: 20 });
    expect([verdict.outcome, verdict.outside, plan.digestAgrees]).toEqual(["differs", 0, false]);
    expect(notCompared).toContain("objective.bound");
  });
});

test("Student's limit: closed forms for one and two degrees of freedom, falling to that of a known error", () => {
  const beyond = 6.334248366623996e-5;
  expect(studentLimit(1)).toBeCloseTo(1 / Math.tan((Math.PI * beyond) / 2), 4);
  expect(studentLimit(2)).toBeCloseTo((1 - beyond) * Math.sqrt(2 / (beyond * (2 - beyond))), 8);
  const limits = [1, 2, 3, 4, 5, 9, 10, 29, 30, 100, 299, 300, 1000, 1e6].map(studentLimit);
  expect(limits).toEqual([...limits].sort((a, b) => b - a));
  expect(Math.abs((limits[10] as number) - (limits[11] as number))).toBeLessThan(1e-3);
  expect(studentLimit(1e9)).toBeCloseTo(4, 6);
});
