import { beforeAll, expect, test } from "vitest";
import { planVipr } from "../../../../src/entries/proof.js";
import { parseWith } from "../../../../src/instance/parse.js";
import type { TablePlacementInstance } from "../../../../src/instance/types/table-placement.js";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { explainPlacement } from "../../../../src/problems/table-placement/explain/explain.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";
import type { TablePlacementPlan } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { tablePlacementPlanSchema } from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { planTablePlacement } from "../../../../src/problems/table-placement/solve/plan.js";
import { verifyTablePlacementPlan } from "../../../../src/problems/table-placement/verify.js";
import { someOf } from "../../../support/draws.js";
import { onSteppingClock } from "../../../support/stepping-clock.js";

/** Hot rows and sizes of caches of a few tables: more options than are solved without a ceiling. */
function instanceWith(more: object = {}): TablePlacementInstance {
  const access = { zipfMandelbrot: { meanLength: 5, exponent: 1.1, shift: 0 } };
  const tables = [1, 2, 3, 4].map((k) => ({
    ...{ name: `t${k}`, num_embeddings: 20_000 * k, embedding_dim: 64, pooling_factors: [5], access },
  }));
  const instance = {
    ...{ shardproof: 1, name: "ceiling", problem: "table-placement", costModel: "torchrec" },
    cluster: { nodes: 2, gpusPerNode: 1, hbmBytesPerGpu: 2e7, hostBytesPerGpu: 1e9 },
    torchrec: { batch_size: 512 },
    splits: { hotRows: { maxPoints: 10 } },
    caches: { maxPoints: 8 },
    tables,
    ...more,
  };
  return parseWith([tablePlacementReader], JSON.stringify(instance), "ceiling.json");
}

function verify(plan: object, instance: TablePlacementInstance) {
  return verifyTablePlacementPlan(tablePlacementPlanSchema.parse(JSON.parse(JSON.stringify(plan))), instance);
}

function withDigest({ digest: _, ...plan }: TablePlacementPlan): TablePlacementPlan {
  return { ...plan, digest: planDigest(plan) };
}

/** The plan with another ceiling, as someone might forge it. */
function withCeiling(plan: TablePlacementPlan, ceiling: string | undefined): TablePlacementPlan {
  const { ceiling: _, ...proof } = plan.proof as NonNullable<TablePlacementPlan["proof"]>;
  return withDigest({ ...plan, proof: { ...proof, ...(ceiling === undefined ? {} : { ceiling }) } });
}

const instance = instanceWith();
let plan: TablePlacementPlan;

beforeAll(async () => {
  plan = await planTablePlacement(instance, { timeLimitSeconds: 120 });
}, 300_000);

test("a plan is proved below a ceiling, and verified", async () => {
  expect(plan.status).toBe("proved");
  expect(plan.proof?.ceiling).toBeDefined();
  const { passed, checks } = await verify(plan, instance);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
  expect(passed).toBe(true);
});

test("a plan above its ceiling, another ceiling or none is refused", { timeout: 300_000 }, async () => {
  const [numerator, denominator] = (plan.exact.value as string).split("/").map(BigInt) as [bigint, bigint];
  for (const ceiling of [`${numerator - 1n}/${denominator}`, "1000", undefined, "x"]) {
    const { passed, checks } = await verify(withCeiling(plan, ceiling), instance);
    expect(passed, `ceiling ${ceiling}`).toBe(false);
    expect(checks.find((check) => !check.passed)?.name).toBe("certificate");
  }
});

test("a ceiling is of the largest cost of a plan alone", async () => {
  const others = [
    { objective: "phases" },
    { thenMinimize: "sum" },
    { goals: [{ minimize: "largest-cost", allow: "5 %" }, { minimize: "largest-hbm" }] },
  ];
  for (const more of others) {
    const { passed, checks } = await verify(plan, instanceWith(more));
    expect(passed).toBe(false);
    expect(checks.some((check) => !check.passed)).toBe(true);
  }
  const none = { ...withCeiling(plan, plan.proof?.ceiling), status: "infeasible" as const };
  expect((await verify(withDigest(none), instance)).passed).toBe(false);
});

test("the proof is written as VIPR with its ceiling said, and plans are explained", { timeout: 300_000 }, async () => {
  const open = async () => instance;
  const text = await planVipr(writePlan(plan), "plan.json", open as never).catch((error: Error) => error.message);
  expect(text).toMatch(/left out of the program|cannot be written as VIPR/);
  const forged = planVipr(writePlan(withCeiling(plan, "1/1000000")), "plan.json", open as never);
  await expect(forged).rejects.toThrow(/received one that does not: .*more than its ceiling/);
  const explained = await explainPlacement(plan, instance, { workSeconds: 1, timeLimitSeconds: 300 });
  expect(explained.tables.length).toBe(4);
});

test.each(someOf([4, 8], 1))(
  "%f seconds of a clock: a plan and a bound, and they are not much exceeded",
  async (limit) => {
    const { result, looks } = await onSteppingClock(2, () => planTablePlacement(instance, { timeLimitSeconds: limit }));
    expect((looks * 2) / 1000).toBeLessThan(limit * 1.1 + 1);
    expect(result.objective.value).not.toBeNull();
    expect(result.objective.bound).toBeGreaterThan(0.8 * (result.objective.value as number));
  },
);
