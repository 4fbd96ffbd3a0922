import { expect, test } from "vitest";
import { placementModel, placementProblem } from "../../../../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { parseInstance } from "../../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import { UNSOLVED } from "../../../../../src/problems/table-placement/plan-file/prices.js";
import { placeByGoals } from "../../../../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { whatIfPrices } from "../../../../../src/problems/table-placement/solve/goals/prices.js";
import { planTablePlacement } from "../../../../../src/problems/table-placement/solve/plan.js";
import { generate } from "../../../../../src/study/generate/generate.js";
import { bruteForcePlacement } from "../../../../support/brute-force-placement.js";

const GIB = 2 ** 30;

function instanceOf(cluster: string, costModel: string, tables: string, more = "") {
  const text = `shardproof: 1\nname: x\nproblem: table-placement\ncostModel: ${costModel}\ncluster: {${cluster}}\n${more}tables:\n${tables}`;
  return requireInstance(tablePlacementReader, parseInstance(text, "f"));
}

const best = (problem: PlacementProblem) => bruteForcePlacement(problem)?.largest.toNumber();

/** Costs 10 and needs nothing, or costs 2 and needs 4 GiB. */
const FAST_OR_SMALL = `  - name: t
    options:
      - {shardingType: table_wise, kernel: fused_uvm, partitionBy: device, shards: [[1, {cost: 10}]]}
      - {shardingType: table_wise, kernel: fused, partitionBy: device, shards: [[1, {cost: 2, hbmBytes: ${4 * GIB}}]]}
`;

test("a GiB is worth what the pooled relaxation says at first, and what the next plan says in the end", async () => {
  const of = async (gib: number) => {
    const cluster = `nodes: 1, gpusPerNode: 1, hbmBytesPerGpu: ${gib * GIB}`;
    return (await planTablePlacement(instanceOf(cluster, "options", FAST_OR_SMALL))).prices?.gibPerGpu;
  };
  // A quarter of the fast option for each GiB.
  expect(await of(2)).toMatchObject({ value: 10, difference: 0, reason: null });
  expect((await of(2))?.rate).toBeCloseTo(-2, 9);
  expect(await of(3)).toMatchObject({ value: 2, difference: -8 });
  expect(await of(5)).toMatchObject({ value: 2, difference: 0, rate: 0 });
});

test("one more device, and one more node, are worth what brute force finds with them", async () => {
  const tables = [5, 4, 4, 3, 3, 2]
    .map((cost, t) => `  - {name: t${t}, cost: ${cost}, bytes: ${10 * (t + 1)}}\n`)
    .join("");
  for (const [cluster, larger] of [
    ["nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 110", "nodes: 1, gpusPerNode: 3, hbmBytesPerGpu: 110"],
    ["nodes: 2, gpusPerNode: 1, hbmBytesPerGpu: 130", "nodes: 3, gpusPerNode: 1, hbmBytesPerGpu: 130"],
  ] as const) {
    const plan = await planTablePlacement(instanceOf(cluster, "given", tables), { gap: 0 });
    const then = best(placementProblem(instanceOf(larger, "given", tables))) as number;
    expect(plan.prices?.device.value).toBe(then);
    expect(plan.prices?.device.difference).toBe(then - (plan.objective.value as number));
    // Σ cost / devices, by devices.
    expect(plan.prices?.device.rate).toBeCloseTo(-21 / 4, 9);
    expect(plan.prices?.device.change).toMatch(
      cluster.startsWith("nodes: 1") ? /one more device, 3/ : /one more node, 3/,
    );
  }
});

test("listed options that are cut for the devices say nothing of more of them; TorchRec's are made anew", async () => {
  const cut = `  - {name: t, options: [{shardingType: row_wise, partitionBy: uniform, shards: [[2, {cost: 3}]]}]}\n`;
  const listed = await planTablePlacement(instanceOf("nodes: 1, gpusPerNode: 2", "options", cut));
  expect(listed.prices?.device).toMatchObject({
    value: null,
    difference: null,
    reason: expect.stringContaining("cut for"),
  });
  // Memory that does not limit is worth nothing.
  expect(listed.prices?.gibPerGpu).toMatchObject({ rate: 0, difference: 0 });
  const tables = "  - {name: t, num_embeddings: 1000, embedding_dim: 64, sharding_types: [row_wise]}\n";
  const torchrec = (gpus: number) =>
    instanceOf(`nodes: 1, gpusPerNode: ${gpus}, hbmBytesPerGpu: 1.0e9, hostBytesPerGpu: 1.0e9`, "torchrec", tables);
  const { prices } = await planTablePlacement(torchrec(2), { gap: 0 });
  expect(prices?.device.value).toBe(best(placementProblem(torchrec(3))));
  expect(prices?.device.rate).toBeNull();
});

test("a heuristic's plan and an infeasible instance have no prices", async () => {
  const tables = "  - {name: t, cost: 3, bytes: 10}\n";
  const roomy = instanceOf("nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 10", "given", tables);
  expect((await planTablePlacement(roomy, { method: "size-greedy" })).prices).toBeNull();
  const tight = instanceOf("nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 9", "given", tables);
  expect((await planTablePlacement(tight)).prices).toBeNull();
});

test("bounds of changed problems are left out where there is no time to build and check them", async () => {
  const instance = requireInstance(
    tablePlacementReader,
    parseInstance(generate("tables", { distribution: "lognormal", tables: 60, gpusPerNode: 8, options: 10 }, 1), "f"),
  );
  const model = placementModel(instance);
  const mostUnits = 50;
  const options = { gap: Rational.parse("1e-9"), seed: 0, workSeconds: mostUnits / 1000, mostUnits };
  const solution = await placeByGoals(model.problem, { ...options, timeLimitSeconds: 600 });
  const { gap, seed } = options;
  const pricesIn = (timeLimitSeconds: number) =>
    whatIfPrices({ instance, model }, solution, { gap, seed, workSeconds: 600, timeLimitSeconds });
  expect((await pricesIn(600))?.gibPerGpu.bound).toBeDefined();
  expect((await pricesIn(0.1))?.gibPerGpu).toMatchObject({ value: null, reason: UNSOLVED.late, proof: null });
});

test("a changed problem is searched with the work that the plan took, and what the first leaves is the second's", async () => {
  const tables = Array.from(
    { length: 9 },
    (_, t) => `  - {name: t${t}, cost: ${10 + ((7 * t) % 9)}, bytes: ${3 + (t % 4)}}`,
  );
  const instance = instanceOf("nodes: 1, gpusPerNode: 3, hbmBytesPerGpu: 14", "given", `${tables.join("\n")}\n`);
  const model = placementModel(instance);
  const options = { gap: Rational.zero, seed: 0, timeLimitSeconds: 600 };
  const solution = await placeByGoals(model.problem, options);
  expect(solution.verdict?.status).toBe("proved");
  const after = async (units: number) => {
    const prices = await whatIfPrices({ instance, model }, { ...solution, units }, options);
    return [prices?.gibPerGpu.reason, prices?.device.reason];
  };
  expect(await after(solution.units + 1e4)).toEqual([null, null]);
  // The same proof holds with more memory; below the units that a search begins with there is none.
  expect(await after(-1e3)).toEqual([null, UNSOLVED.late]);
});
