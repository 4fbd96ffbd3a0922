import { expect, test } from "vitest";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { planTowerPartition } from "../support/planned.js";

/** Tables that do not fit by adding up, with caches, so that phases are what is minimised: the plan was refused by `verify`. */
test("tables in towers that are too large together, with sizes of caches: infeasible, and verified", async () => {
  const document = {
    ...{ shardproof: 1, name: "too large", problem: "tower-partition", features: ["a", "b"], sizeRatio: 2 },
    interaction: [
      [1, 0.5],
      [0.5, 1],
    ],
    tables: [
      {
        name: "a",
        rows: 48,
        dim: 2,
        dataType: "fp32",
        poolingFactor: 2,
        access: {
          histogram: [
            [8, 0.1],
            [40, 0.001],
          ],
        },
      },
      { name: "b", rows: 44, dim: 2, dataType: "fp32", poolingFactor: 1 },
    ],
    cluster: {
      ...{ nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 90, hostBytesPerGpu: 100 },
      bandwidth: { insideHost: 100, acrossHosts: [[2, 30]], hostMemory: 200 },
    },
    ...{ training: { batchPerGpu: 5 }, splits: { hotRows: true }, caches: true },
  };
  const instance = requireInstance(towerPartitionReader, parseInstance(JSON.stringify(document), "large.yaml"));
  const plan = await planTowerPartition(instance);
  expect([plan.status, plan.joint?.flat.placement?.certificate?.claim.kind]).toEqual(["infeasible", "infeasible"]);
  const { passed, checks } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
  expect(passed).toBe(true);
});
