import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { bruteForce } from "../support/brute-force.js";
import { tinyInstance } from "../support/tiny-instance.js";

// Two tiers between which a row is indifferent needed the same memory: the core search divided by that difference.
test("all three tiers of a class meet at the price of memory", async () => {
  const bandwidth = { allToAllGlobal: 500, allToAllIntra: 500, allReduceGlobal: 500, allReduceCross: 500 };
  const { instance, access } = tinyInstance(
    [
      {
        dim: 1,
        histogram: [
          [1, 3],
          [1, 0.5],
          [1, 0.02],
        ],
      },
    ],
    {
      tiers: ["flex", "row_wise", "data_parallel"],
      objective: "channels",
      training: { batchPerGpu: 1, replicaMemoryFactor: 6 },
      budget: { kind: "bytesPerGpu", bytes: 52.894200000000005 },
    },
  );
  const slow = { ...instance, cluster: { ...instance.cluster, bandwidth } };
  const { verdict } = await solveRowTiers(buildRowTiers(slow, access), { gap: Rational.zero, timeLimitSeconds: 30 });
  expect(verdict.status).toBe("proved");
  expect(verdict.value?.toString()).toBe(bruteForce(slow, access)?.seconds.toString());
});
