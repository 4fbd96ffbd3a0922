import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { tinyInstance } from "../support/tiny-instance.js";

const HISTOGRAMS = [
  [
    [1, 3],
    [1, 1.5],
    [3, 0.3],
    [1, 1e-7],
  ],
  [
    [2, 2.5],
    [3, 0.9],
    [4, 0.3],
    [1, 1e-7],
  ],
] as const;

// Here the final claim fixes two groups before an exchange that the search had filled by it: the certificate did not hold, and the
// plan was lost with it.
test("exchanges are found in groups that are filled already", async () => {
  const [first, second] = HISTOGRAMS.map((histogram) => ({ dim: 16, histogram }));
  const { instance, access } = tinyInstance([first, second] as Parameters<typeof tinyInstance>[0], {
    cluster: {
      hostBytesPerNode: 8,
      nodes: 2,
      gpusPerNode: 4,
      bandwidth: {
        ...{ allToAllGlobal: 4000, allToAllIntra: 777.7, allReduceGlobal: 1000, allReduceCross: 1000 },
        hostToDevice: 1000,
      },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
    training: { batchPerGpu: 10.5, replicaMemoryFactor: 1 },
    tiers: ["host", "data_parallel", "column_wise", "flex", "row_wise"],
    objective: "exposed",
    granularity: 3,
  });
  const [int8, fp16] = instance.tables;
  const tables = [
    { ...int8, dataType: "int8", elementBytes: 1 },
    { ...fp16, dataType: "fp16", elementBytes: 2 },
  ] as typeof instance.tables;
  const model = buildRowTiers({ ...instance, tables }, access);
  const { verdict } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 30 });
  expect(verdict.status).toBe("proved");
  expect([verdict.value, verdict.bound].map(String)).toEqual(["6/125", "6/125"]);
});
