import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import type { WrittenPlan } from "../../../src/problems/row-tiers/plan-file/plan-file.js";
import { simulatePlan, simulatePlanText } from "../../../src/simulate/simulate.js";
import type { Comparison } from "../../../src/simulate/simulation.js";
import { someOf } from "../../support/draws.js";
import { instanceFiles } from "../../support/instance-files.js";
import { planRowTiers } from "../../support/planned.js";
import { tinyInstance } from "../../support/tiny-instance.js";
import { writtenPlan } from "./support.js";

const files = instanceFiles(["tiny", "paper", "public", "hostile"]);

test("some shipped instances are infeasible, not most", async () => {
  expect(files.length).toBeGreaterThan(25);
});

describe.each(someOf(files, 10))("%s", (file) => {
  test("what is seen is within 4 standard errors of every number of its plan", async () => {
    const plan = await planRowTiers(file);
    const simulate = () => simulatePlanText(writePlan(plan), "plan.json", loadInstance, { batches: 3, seed: 1 });
    if (plan.status === "infeasible") {
      await expect(simulate()).rejects.toThrow(/nothing to simulate/);
      return;
    }
    const { comparisons, verdict } = await simulate();
    expect(comparisons.length).toBeGreaterThanOrEqual(plan.tables.length * 3);
    expect(comparisons.filter(({ z }) => Math.abs(z ?? 0) > 4)).toEqual([]);
    expect(comparisons.filter(({ within }) => !within)).toEqual([]);
    expect(verdict).toMatchObject({ within: true, outside: 0, comparisons: comparisons.length });
  });
});

test("RM-1 with FlexShard's three tiers: 67.4 % less global all-to-all, as table 5 predicts", async () => {
  const plan = await planRowTiers("instances/paper/flexshard-rm1.yaml", { method: "flexshard-3tier" });
  const simulation = await simulatePlanText(writePlan(plan), "plan.json", loadInstance, { batches: 2, seed: 3 });
  const reduction = simulation.comparisons.find(({ quantity }) => quantity === "reduction");
  expect(reduction?.predicted).toBeCloseTo(0.674, 3);
  expect(reduction?.observed).toBeCloseTo(0.674, 3);
  expect(Math.abs(reduction?.z ?? Number.NaN)).toBeLessThan(4);
  expect(reduction?.standardError).toBeLessThan(1e-4);
  // Table 6 counts the elements of a direction: 32.6 % of 4096 · 960.8 · 256.
  const global = simulation.collectives.find(({ collective }) => collective === "allToAllGlobal");
  expect((global?.elementsPerPass ?? 0) / (4096 * 960.8 * 256)).toBeCloseTo(0.326, 3);
});

const { instance, access } = tinyInstance(
  [
    {
      dim: 4,
      histogram: [
        [30, 0.5],
        [100, 0.1],
        [400, 0.01],
      ],
    },
    {
      dim: 16,
      histogram: [
        [10, 1.25],
        [50, 0.2],
      ],
    },
  ],
  {
    tiers: ["data_parallel", "flex", "row_wise", "column_wise", "host"],
    cluster: {
      nodes: 2,
      gpusPerNode: 2,
      hostBytesPerNode: 10_000,
      bandwidth: {
        allToAllGlobal: 1000,
        allToAllIntra: 4000,
        allReduceGlobal: 3000,
        allReduceCross: 500,
        hostToDevice: 200,
      },
      latency: {
        allToAllGlobal: 0.001,
        allToAllIntra: 0.002,
        allReduceGlobal: 0.003,
        allReduceCross: 0.004,
        hostToDevice: 0.005,
      },
    },
  },
);
const right = writtenPlan(instance, access, [
  [
    [20, "data_parallel"],
    [80, "flex"],
    [130, "row_wise"],
    [100, "column_wise"],
    [200, "host"],
  ],
  [
    [8, "data_parallel"],
    [20, "flex"],
    [12, "row_wise"],
    [20, "host"],
  ],
]);
const OPTIONS = { batches: 2000, seed: 2 };

test("the right numbers of a plan by hand pass", async () => {
  const { verdict, comparisons } = await simulatePlan(right, instance, access, OPTIONS);
  expect(verdict).toMatchObject({ within: true, outside: 0 });
  expect(new Set(comparisons.map(({ quantity }) => quantity)).size).toBe(11);
});

/** Paths of the numbers that a simulation says something of, with what a comparison calls them. */
function* numbersOf(plan: WrittenPlan): Generator<{ path: (string | number)[]; line: Partial<Comparison> }> {
  for (const collective of Object.keys(plan.collectives ?? {}) as NonNullable<Comparison["collective"]>[]) {
    yield { path: ["collectives", collective], line: { quantity: "collective", table: null, collective } };
  }
  yield { path: ["memory", "bytesPerGpu"], line: { quantity: "memory", table: null } };
  yield { path: ["memory", "host", "bytesPerNode"], line: { quantity: "host memory", table: null } };
  for (const [index, { name, tiers }] of plan.tables.entries()) {
    for (const [at, { tier, rows, collectives }] of tiers.entries()) {
      if (rows === 0) continue;
      const of = { table: name, tier: tier as NonNullable<Comparison["tier"]> };
      const path = ["tables", index, "tiers", at];
      yield { path: [...path, "parameterBytes"], line: { ...of, quantity: "parameters" } };
      yield { path: [...path, "readBytesPerSample"], line: { ...of, quantity: "reads" } };
      yield { path: [...path, "accessShare"], line: { ...of, quantity: "access share" } };
      yield { path: [...path, "memoryBytesPerGpu"], line: { ...of, quantity: "memory" } };
      if (tier === "host") yield { path: [...path, "hostBytesPerNode"], line: { ...of, quantity: "host memory" } };
      for (const collective of Object.keys(collectives) as NonNullable<Comparison["collective"]>[]) {
        yield { path: [...path, "collectives", collective], line: { ...of, quantity: "collective", collective } };
      }
    }
  }
}

test.each([...numbersOf(right)])("a tenth more in $path is far beyond 4 standard errors", async ({ path, line }) => {
  const wrong = structuredClone(right);
  let at = wrong as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as typeof at;
  const last = path.at(-1) as string;
  at[last] = (at[last] as number) * 1.1;
  const { verdict, comparisons } = await simulatePlan(wrong, instance, access, OPTIONS);
  expect(verdict.within).toBe(false);
  const matching = comparisons.filter((entry) =>
    Object.entries(line).every(([key, value]) => entry[key as keyof Comparison] === value),
  );
  expect(matching).toHaveLength(1);
  expect(matching[0]?.within).toBe(false);
  expect(Math.abs(matching[0]?.z ?? Number.POSITIVE_INFINITY)).toBeGreaterThan(4);
});

test("z has mean 0 and variance 1 over the seeds: the standard errors are right", async () => {
  const scores = new Map<string, number[]>();
  const seeds = 400;
  for (let seed = 0; seed < seeds; seed++) {
    const { comparisons } = await simulatePlan(right, instance, access, { batches: 5, seed });
    for (const { quantity, table, tier, collective, z } of comparisons) {
      const key = [quantity, table, tier, collective].join(" ");
      if (z !== null) scores.set(key, [...(scores.get(key) ?? []), z]);
    }
  }
  expect(scores.size).toBeGreaterThan(20);
  for (const [key, values] of scores) {
    expect([key, values.length]).toEqual([key, seeds]);
    const mean = values.reduce((sum, z) => sum + z, 0) / seeds;
    const variance = values.reduce((sum, z) => sum + (z - mean) ** 2, 0) / (seeds - 1);
    expect(Math.abs(mean), key).toBeLessThan(4 / Math.sqrt(seeds));
    expect(Math.abs(variance - 1), key).toBeLessThan(4 * Math.sqrt(2 / seeds));
  }
});

test("a rare lookup that happens to be seen is no contradiction", async () => {
  const rare = tinyInstance([
    {
      dim: 4,
      histogram: [
        [1, 0.5],
        [1, 1e-4],
      ],
    },
  ]);
  const plan = writtenPlan(rare.instance, rare.access, [
    [
      [1, "data_parallel"],
      [1, "row_wise"],
    ],
  ]);
  let seen = 0;
  for (let seed = 0; seed < 300; seed++) {
    const { verdict, comparisons } = await simulatePlan(plan, rare.instance, rare.access, { batches: 1, seed });
    const ofTier = comparisons.filter(({ tier, z }) => tier === "row_wise" && z !== null);
    seen += ofTier.some(({ quantity, observed }) => quantity === "reads" && (observed ?? 0) > 0) ? 1 : 0;
    expect(ofTier.filter(({ reading, z }) => reading !== "too few" || Math.abs(z ?? 0) > 4)).toEqual([]);
    expect(verdict.within).toBe(true);
  }
  expect(seen).toBeGreaterThan(0);
});

test("the same seed gives the same simulation, another seed another", async () => {
  const simulate = (seed: number) => simulatePlan(right, instance, access, { batches: 2, seed });
  expect(await simulate(5)).toEqual(await simulate(5));
  expect((await simulate(5)).comparisons).not.toEqual((await simulate(6)).comparisons);
});

test("progress counts the iterations", async () => {
  const seen: number[] = [];
  await simulatePlan(right, instance, access, { batches: 3, onProgress: (done) => seen.push(done) });
  expect(seen).toEqual([1, 2, 3]);
});

const changed = (change: (plan: WrittenPlan) => void): WrittenPlan => {
  const plan = structuredClone(right);
  change(plan);
  return plan;
};

test.each<{ what: string; plan: WrittenPlan; says: RegExp }>([
  {
    what: "runs short of the table",
    plan: changed((plan) => plan.tables[0]?.runs.pop()),
    says: /expected runs over 530 rows of table "t0", received 330/,
  },
  {
    what: "an unknown tier",
    plan: changed((plan) => plan.tables[0]?.runs.push([1, "table_wise"])),
    says: /expected tiers among data_parallel, .*, received "table_wise"/,
  },
  {
    what: "a run of no rows",
    plan: changed((plan) => plan.tables[0]?.runs.push([0, "flex"])),
    says: /a run of 0 rows is none/,
  },
  {
    what: "a table less",
    plan: changed((plan) => plan.tables.pop()),
    says: /expected the instance's 2 tables/,
  },
  {
    what: "a tier without numbers",
    plan: changed((plan) => plan.tables[1]?.tiers.shift()),
    says: /expected numbers of the tier data_parallel of table "t1", received none/,
  },
])("$what is refused", async ({ plan, says }) => {
  const simulation = simulatePlan(plan, instance, access, { batches: 1 }, "plan.json");
  await expect(simulation).rejects.toThrow(InputError);
  await expect(simulation).rejects.toThrow(says);
});

test("samples can be drawn only for whole batches", async () => {
  const half = { ...instance, training: { ...instance.training, batchPerGpu: 0.5 } };
  await expect(simulatePlan(right, half, access, { batches: 1 })).rejects.toThrow(/whole training.batchPerGpu/);
});

test("a plan of another instance is refused", async () => {
  const text = writePlan(await planRowTiers("instances/tiny/one-node.yaml"));
  const simulation = simulatePlanText(text, "plan.json", () => loadInstance("instances/tiny/two-tiers.yaml"));
  await expect(simulation).rejects.toThrow(/^plan.json: expected the instance that the plan was made for, received/);
});
