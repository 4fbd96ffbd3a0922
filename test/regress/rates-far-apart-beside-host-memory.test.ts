import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { solveStages } from "../../src/problems/row-tiers/solve/stages.js";
import { tinyInstance } from "../support/tiny-instance.js";

/** Of both rows on the GPU, and of what is read of them. */
const BYTES = 66_850_306_968_780.805;

// The price at which host memory suffices was looked for up to 1024¹² times the cost: between rates as far apart as these it is
// higher, and what has a plan was said to have none, with a certificate that did not hold.
test("a price of host memory beyond all costs is found between rates far apart", async () => {
  const table = {
    dim: 2 ** 42,
    histogram: [
      [1, 0.9],
      [1, 1e-300],
    ],
  } as const;
  const { instance, access } = tinyInstance([table], {
    cluster: {
      hostBytesPerNode: 40,
      nodes: 1,
      gpusPerNode: 1,
      bandwidth: {
        ...{ allToAllGlobal: 500, allToAllIntra: 500, allReduceGlobal: 500, allReduceCross: 500 },
        hostToDevice: 500,
      },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
    training: { batchPerGpu: 1, replicaMemoryFactor: 1 },
    tiers: ["host", "column_wise"],
    budget: { kind: "bytesPerGpu", bytes: BYTES },
  });
  const goals = (["hostToDevice", "memory"] as const).map((minimize) => ({ minimize, allow: { percent: "0" } }));
  const model = buildRowTiers(instance, access);
  const { stages } = await solveStages(model, goals, { gap: Rational.zero }, { next: () => 30 });
  const verdicts = stages.map(({ outcome }) => outcome.verdict);
  expect(verdicts.map(({ status }) => status)).toEqual(["proved", "proved"]);
  // No row fits into the host's memory.
  expect(verdicts.map(({ value }) => value?.toNumber())).toEqual([0, BYTES]);
});
