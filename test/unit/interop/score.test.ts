import { expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { readExportablePlacement } from "../../../src/problems/table-placement/exportable.js";
import { assemblePlacementPlan } from "../../../src/problems/table-placement/plan-file/assemble.js";
import { scorePlacement } from "../../../src/problems/table-placement/score.js";
import { solveLargePlacement } from "../../../src/problems/table-placement/solve/large/solve-large.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { verifyTablePlacementPlan } from "../../../src/problems/table-placement/verify.js";
import { openPlacement } from "./sharding-plan-support.js";

/** Costs 4, 3, 2, 1 on two devices of which each holds three tables: 5 is the least. */
const opened = openPlacement({
  shardproof: 1,
  name: "four",
  problem: "table-placement",
  costModel: "given",
  costUnit: "ms",
  cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 30 },
  tables: [4, 3, 2, 1].map((cost) => ({ name: `t${cost}`, cost, bytes: 10 })),
});

function on(...devices: number[]) {
  const placement = { choices: devices.map((device) => ({ option: 0, devices: [device] })) };
  return { file: "plan.json", ...opened, placement };
}

test("a plan that is not the best has its gap, its costliest device, and the better plan", async () => {
  const searched = await planTablePlacement(opened.instance, { gap: 0 });
  const { score, best } = scorePlacement(on(0, 0, 1, 1), searched);
  expect(score).toEqual({
    shardproof: 1,
    kind: "torchrec-score",
    file: "plan.json",
    instance: searched.instance,
    status: "plan",
    violations: [],
    objective: { kind: "largest-device-cost", unit: "ms", value: 7, bound: 5, gap: 0.4 },
    bottleneck: {
      device: 0,
      cost: 7,
      shards: [
        { table: "t4", shard: 0, shardingType: "table_wise", kernel: "fused", cost: 4, hbmBytes: 10, hostBytes: 0 },
        { table: "t3", shard: 0, shardingType: "table_wise", kernel: "fused", cost: 3, hbmBytes: 10, hostBytes: 0 },
      ],
    },
    deviceCosts: [7, 3],
    deviceBytes: [20, 20],
    deviceHostBytes: [0, 0],
    better: { value: 5, saved: 2 / 7, choices: searched.choices },
    isOptimal: false,
    search: "proved",
  });
  expect(best).toBe(searched);
});

test("a plan that is as good has no better one", async () => {
  const searched = await planTablePlacement(opened.instance, { gap: 0 });
  const { score, best } = scorePlacement(on(1, 0, 0, 1), searched);
  expect(score).toMatchObject({ objective: { value: 5, gap: 0 }, better: null, isOptimal: true, search: "proved" });
  expect(best).toBe(searched);
});

test("a plan that breaks the limits says by how much, and has no gap", async () => {
  const searched = await planTablePlacement(opened.instance, { gap: 0 });
  const { score } = scorePlacement(on(0, 0, 0, 0), searched);
  expect(score).toMatchObject({
    status: "breaks-limits",
    violations: ["the memory of device 0 is exceeded by 10 bytes"],
    objective: { value: 10, bound: 5, gap: null },
    better: { value: 5, saved: 0.5 },
  });
});

test("a search that ended early proves its bound on a program of its own, which the given plan has too", async () => {
  const proved = await planTablePlacement(opened.instance, { gap: 0 });
  const { direct, certificate, verdict } = solveLargePlacement(opened.problem, {
    ...{ gap: Rational.zero, timeLimitSeconds: 1, seed: 0 },
  });
  expect(certificate?.program).not.toBe(proved.certificate?.program);
  const bound = verdict?.bound?.toString() ?? null;
  const early = { ...proved, certificate, provedOn: direct.name, exact: { ...proved.exact, value: "8", bound } };
  const { best } = scorePlacement(on(1, 0, 0, 1), early);
  expect([best?.exact.value, best?.exact.bound]).toEqual(["5", bound]);
});

test("where the given plan is the better one, it is the best plan, under the proof of the search", async () => {
  const proved = await planTablePlacement(opened.instance, { gap: 0 });
  const { certificate, request, timing } = proved;
  // A search that ended with a worse plan than the given one, and the same bound.
  const { best: worse } = scorePlacement(on(0, 0, 1, 1), { ...proved, exact: { ...proved.exact, value: "8" } });
  expect(worse).toMatchObject({ status: "feasible", objective: { value: 7, bound: 5 } });
  const { score, best } = scorePlacement(on(1, 0, 0, 1), worse as typeof proved);
  expect(score).toMatchObject({ objective: { value: 5, gap: 0 }, better: null, search: "feasible" });
  expect(best).toMatchObject({ status: "proved", method: "optimal", objective: { value: 5, bound: 5, gap: 0 } });
  expect(best?.certificate).toEqual(certificate);
  const written = writePlan(best as object);
  expect((await readExportablePlacement(written, "plan.json", async () => opened.instance)).placement).toEqual(
    on(1, 0, 0, 1).placement,
  );
  expect(await verifyTablePlacementPlan(JSON.parse(written), opened.instance)).toMatchObject({ passed: true });
  // And a search that found nothing at all.
  const nothing = assemblePlacementPlan({
    ...opened,
    method: "optimal",
    request,
    outcome: null,
    placement: null,
    baselines: [],
    relaxed: null,
    claim: null,
    timing,
  });
  const found = scorePlacement(on(1, 0, 0, 1), nothing);
  expect(found.score).toMatchObject({
    objective: { value: 5, bound: null, gap: null },
    better: null,
    search: "unknown",
  });
  expect(found.best).toMatchObject({ method: "given", status: "heuristic", objective: { value: 5 } });
  expect(scorePlacement(on(0, 0, 0, 0), nothing).best).toBeNull();
});

test("of an instance without any plan, the given one breaks the limits too", async () => {
  const tight = openPlacement({
    shardproof: 1,
    name: "tight",
    problem: "table-placement",
    costModel: "given",
    cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 10 },
    tables: [1, 2, 3].map((cost) => ({ name: `t${cost}`, cost, bytes: 10 })),
  });
  const searched = await planTablePlacement(tight.instance);
  const placement = { choices: [0, 1, 1].map((device) => ({ option: 0, devices: [device] })) };
  const { score, best } = scorePlacement({ file: "plan.json", ...tight, placement }, searched);
  expect(score).toMatchObject({
    status: "breaks-limits",
    search: "infeasible",
    better: null,
    objective: { bound: null },
  });
  expect(best).toBeNull();
});

test("of plans that are as good, the instance's second goal tells the better", async () => {
  // The largest cost is 6 wherever the small tables are; 2 and 1 + 1 beside it leave the second largest least.
  const file = {
    shardproof: 1,
    name: "two-goals",
    problem: "table-placement",
    costModel: "given",
    thenMinimize: "second-largest",
    cluster: { nodes: 1, gpusPerNode: 3 },
    tables: [6, 2, 1, 1].map((cost, t) => ({ name: `t${t}`, cost, bytes: 1 })),
  };
  const two = openPlacement(file);
  const searched = await planTablePlacement(two.instance, { gap: 0 });
  expect(searched).toMatchObject({ objective: { value: 6 }, second: { value: 2 } });
  const scored = (devices: readonly number[]) => {
    const placement = { choices: devices.map((device) => ({ option: 0, devices: [device] })) };
    return scorePlacement({ file: "plan.json", ...two, placement }, searched);
  };
  expect(scored([0, 1, 1, 2]).score).toMatchObject({ objective: { value: 6, gap: 0 }, better: { value: 6, saved: 0 } });
  const { score, best } = scored([2, 0, 1, 1]);
  expect(score.better).toBeNull();
  expect(best).toBe(searched);
});

test("without a search there is the score, and nothing is said of better plans", () => {
  const { score, best } = scorePlacement(on(0, 0, 1, 1), null);
  expect(best).toBeNull();
  expect(score).toMatchObject({
    status: "plan",
    objective: { value: 7, bound: null, gap: null },
    ...{ better: null, isOptimal: false, search: null, deviceCosts: [7, 3] },
  });
  expect(scorePlacement(on(0, 0, 0, 0), null).score).toMatchObject({ status: "breaks-limits", search: null });
});
