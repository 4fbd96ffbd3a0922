import { expect, test } from "vitest";
import { buildRowTiers } from "../../../../../models/row-tiers/build.js";
import type { RowTiersInstance } from "../../../../../src/instance/types/row-tiers.js";
import { recshardLike } from "../../../../../src/problems/row-tiers/methods/recshard-like.js";
import { evaluateRuns } from "../../../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import { compareRowTiers, planRowTiers } from "../../../../support/planned.js";
import { tinyInstance } from "../../../../support/tiny-instance.js";
import { oneTable, planOf, runsOf } from "./support.js";

const { cluster: base } = tinyInstance(oneTable).instance;
const withHost = (hostBytesPerNode: number, changes: Partial<RowTiersInstance> = {}): Partial<RowTiersInstance> => ({
  tiers: ["data_parallel", "flex", "row_wise", "host"],
  cluster: { ...base, hostBytesPerNode, bandwidth: { ...base.bandwidth, hostToDevice: 400 } },
  ...changes,
});

// 41 rows of 16 bytes: 4 bytes per GPU and row where it is row-wise, and buffers of 2·8·16·(7.5 + 5.4 + 4.8 + 0.2).
const BUFFERS = 2 * 8 * 16 * 17.9;

test.each([
  [BUFFERS + 4 * 41, "row_wise 41"],
  [BUFFERS + 4 * 41 - 1, "row_wise 40, host 1"],
  [BUFFERS + 4 * 10, "row_wise 10, host 31"],
  [BUFFERS + 4 * 10 - 1e-6, "row_wise 9, host 32"],
  [BUFFERS + 4, "row_wise 1, host 40"],
  // Not even the buffers fit.
  [BUFFERS - 1, "host 41"],
])("%d bytes per GPU: the hottest rows that fit, to the row", (bytes, runs) => {
  const { instance, access } = tinyInstance(oneTable, withHost(1e9, { budget: { kind: "bytesPerGpu", bytes } }));
  // 17.9 is no double: what the rows really appear is a little less than ten, or forty-one, rows' worth of bytes away.
  const exact = evaluateRuns(instance, access, [[{ tier: "host", rows: 41 }]]).memoryBytes.toNumberUp();
  const budget = { kind: "bytesPerGpu", bytes: bytes - BUFFERS + exact } as const;
  expect(runsOf(recshardLike({ ...instance, budget }, access))).toEqual([runs]);
});

test("tables are merged by access, whatever their rows weigh", () => {
  const { instance, access } = tinyInstance(
    [
      {
        dim: 4,
        histogram: [
          [2, 0.5],
          [4, 0.125],
        ],
      },
      {
        dim: 8,
        histogram: [
          [2, 0.25],
          [2, 0.0625],
        ],
      },
    ],
    withHost(1e9, { budget: { kind: "extraBytesPerGpu", bytes: -20 } }),
  );
  // 56 bytes per GPU in all, of which 36 may stay: 2 rows of 4 bytes, 2 of 8, and 3 of 4 again; the fourth is 40.
  expect(runsOf(recshardLike(instance, access))).toEqual(["row_wise 5, host 1", "row_wise 2, host 2"]);
});

test("memory-neutral leaves every row on the GPUs", () => {
  const { instance, access } = tinyInstance(oneTable, withHost(1e9));
  expect(runsOf(recshardLike(instance, access))).toEqual(["row_wise 41"]);
});

test.each(["row_wise", "host"] as const)("it needs the tier %s", (tier) => {
  const { instance, access } = tinyInstance(oneTable, withHost(1e9));
  const tiers = instance.tiers.filter((each) => each !== tier);
  expect(recshardLike({ ...instance, tiers }, access)).toEqual({
    kind: "not-applicable",
    reason: `needs the tier ${tier}, which the instance does not allow`,
  });
});

test("it does not look at how much host memory there is: compare says over-budget, plan refuses", async () => {
  // Twenty rows too many for the GPUs: 160 bytes on each of two nodes.
  const short = withHost(159, { budget: { kind: "extraBytesPerGpu", bytes: -80 } });
  const { instance, access } = tinyInstance(oneTable, short);
  const { assignment } = planOf(recshardLike(instance, access));
  expect(evaluateRuns(instance, access, assignment).hostBytes.toString()).toBe("160");
  expect(buildRowTiers(instance, access).ladder.rows[1]?.name).toBe("host");
  const row = (await compareRowTiers(instance)).find(({ method }) => method === "recshard-like");
  expect(row).toMatchObject({ status: "over-budget", gap: null });
  expect(row?.bytesPerGpu).toBeLessThanOrEqual(row?.budgetBytesPerGpu ?? 0);
  await expect(planRowTiers(instance, { method: "recshard-like" })).rejects.toThrow(
    /^-: the method recshard-like puts more into host memory than the instance's hostBytesPerNode allows; raise it/,
  );
  const enough = { ...instance, cluster: { ...instance.cluster, hostBytesPerNode: 160 } };
  const plan = await planRowTiers(enough, { method: "recshard-like" });
  expect(plan.memory.host).toEqual({ bytesPerNode: 160, budgetBytesPerNode: 160 });
  const { status } = (await compareRowTiers(enough)).find(({ method }) => method === "recshard-like") ?? {};
  expect(status).toBe("heuristic");
});
