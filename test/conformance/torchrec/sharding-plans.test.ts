import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../../models/table-placement/evaluate.js";
import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type { Placement } from "../../../models/table-placement/problem.js";
import { readDocument } from "../../../src/instance/document.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { shardingPlan } from "../../../src/interop/torchrec/export-placement.js";
import { givenPlacement } from "../../../src/interop/torchrec/given-placement.js";
import { parseInstance } from "../../../src/problems/planning/instances.js";
import { importTorchrecProblem } from "../../../src/problems/table-placement/import-problem.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { recordedPlacements } from "./recorded.js";
import type { RecordedPlan } from "./recorded-plans.js";

function imported(problem: unknown) {
  const file = importTorchrecProblem(JSON.stringify(problem), "problem.json");
  const instance = requireInstance(tablePlacementReader, parseInstance(JSON.stringify(file), "instance.json"));
  return { instance, problem: placementProblem(instance), method: "optimal", status: "feasible" };
}

test("the sharding plan that TorchRec wrote is read, and written again as it was", () => {
  const { serialized } = JSON.parse(readFileSync(new URL("fixtures/serialized-plan.json", import.meta.url), "utf8"));
  const table = (name: string, num_embeddings: number, embedding_dim: number) => ({
    name,
    num_embeddings,
    embedding_dim,
  });
  const plan = imported({
    topology: { world_size: 8, local_world_size: 4 },
    tables: [table("a", 1e6, 128), table("b", 4e6, 256), table("c", 1000, 64), table("d", 2e6, 64)],
  });
  const document = readDocument(JSON.stringify(serialized), "plan.json");
  const placement = givenPlacement(document, plan.instance, plan.problem);
  expect(placement.choices.map(({ devices }) => devices)).toEqual([
    [4, 5, 6, 7],
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [4, 5, 6, 7],
  ]);
  expect(shardingPlan({ ...plan, placement }, "sparse.ebc")).toEqual(serialized);
});

const recorded = recordedPlacements as readonly ((typeof recordedPlacements)[number] & {
  readonly torchrec_default: RecordedPlan;
  readonly torchrec_dp?: RecordedPlan;
})[];
const withPlans = recorded.flatMap((placement) =>
  (["torchrec_default", "torchrec_dp"] as const).flatMap((planner) => {
    const { plan, perf_rating } = placement[planner] ?? {};
    return plan === undefined ? [] : [{ id: placement.id, planner, placement, plan, perf_rating }];
  }),
);

test("five plans of the recorded problems are recorded", () => {
  expect(withPlans.map(({ id }) => id)).toEqual([
    "tw_only_w2_0",
    "tw_only_w4_0",
    "hetero_caps_tw",
    "offload_w1",
    "one_host_4_all",
  ]);
});

describe.each(withPlans)("$planner of $id", ({ placement: recordedProblem, plan, perf_rating }) => {
  const exported = imported(recordedProblem);
  const placement: Placement = {
    choices: exported.problem.tables.map(({ name, options }) => {
      const { sharding_type, kernel, ranks } = plan[name] as NonNullable<typeof plan>[string];
      const option = options.findIndex((one) => one.shardingType === sharding_type && one.kernel === kernel);
      return { option, devices: ranks };
    }),
  };
  const serialized = shardingPlan({ ...exported, placement });

  test("its export has the recorded types, kernels and ranks", () => {
    const tables = Object.entries(serialized.plan[""] ?? {}).map(([name, sharding]) => [
      name,
      { sharding_type: sharding.sharding_type, kernel: sharding.compute_kernel, ranks: sharding.ranks },
    ]);
    expect(Object.fromEntries(tables)).toEqual(plan);
  });

  test("read again it is the same placement, with TorchRec's own rating", () => {
    const document = readDocument(JSON.stringify(serialized), "plan.json");
    const again = givenPlacement(document, exported.instance, exported.problem);
    expect(again).toEqual(placement);
    const { largest, violations } = evaluatePlacement(exported.problem, again);
    expect(violations).toEqual([]);
    // TorchRec adds doubles one by one.
    expect(largest.toNumber() / (perf_rating as number)).toBeCloseTo(1, 12);
  });
});
