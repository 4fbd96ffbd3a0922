import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { requireInstance } from "../../src/instance/reader.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { expectRecomputed } from "../independent/recompute.js";
import { someOf } from "../support/draws.js";
import { readExpected, writeExpected } from "../support/expected.js";
import { instanceFiles } from "../support/instance-files.js";
import { planTowerPartition } from "../support/planned.js";

/** Seconds of each number of towers, falling; `null` where there is no plan. */
interface ExpectedJoint {
  readonly chosen: number | null;
  readonly seconds: readonly (readonly [towers: number, seconds: number | null])[];
}

const files = instanceFiles(["tiny", "paper"], "tower-partition").filter((file) =>
  /^tables:/m.test(readFileSync(file, "utf8")),
);

// UPDATE_EXPECTED=1 writes the expected files anew, from proved plans.
test.each(someOf(files, 3))(
  "%s: the recorded optimum of every number of towers is proved, and the plan verifies",
  async (file) => {
    const plan = await planTowerPartition(file, { gap: 1e-9 });
    expectRecomputed(file, plan);
    const { rows, chosen, seconds, flat } = plan.joint ?? {};
    const found: ExpectedJoint = {
      chosen: chosen?.towers ?? null,
      seconds: (rows ?? []).map((row) => [row.towers, row.seconds.value] as const),
    };
    if (process.env.UPDATE_EXPECTED === "1") writeExpected<ExpectedJoint>(file, found);
    expect(found).toEqual(readExpected<ExpectedJoint>(file));
    expect(plan.status).toBe(chosen ? "proved" : "infeasible");
    for (const row of rows ?? []) expect(row.status).toBe(row.seconds.value === null ? "infeasible" : "proved");
    if (chosen) expect(seconds?.gap).toBeLessThanOrEqual(1e-9);
    // One tower of all hosts is the flat exchange.
    const one = rows?.find(({ towers }) => towers === 1);
    if (one) expect(flat?.seconds.value).toBe(one.seconds.value);
    const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", loadInstance);
    expect(differences).toEqual([]);
    expect(passed).toBe(true);
  },
);

describe("by hand: two hosts of two GPUs, 100 bytes per second inside, 10 across", () => {
  const file = "instances/tiny/towers-joint-partly.yaml";

  test("one tower: f0 in four columns of one element, f1 beside one of them; each GPU sends 2 · 4 bytes to 2 GPUs across", async () => {
    const { joint, status } = await planTowerPartition(requireInstance(towerPartitionReader, await loadInstance(file)));
    expect(status).toBe("proved");
    expect(joint?.chosen).toEqual({ towers: 1, hostsPerTower: 2 });
    // 16 bytes across in each pass.
    expect(joint?.seconds.value).toBe(2 * 1.6);
    expect(joint?.rows[0]).toMatchObject({ towers: 2, status: "infeasible", seconds: { value: null } });
  });
});
