import { expect, test } from "vitest";
import { towerInteraction } from "../../src/access/interaction/tower-interaction.js";
import { seededRandom } from "../../src/exact/random.js";
import { requireInstance } from "../../src/instance/reader.js";
import type { TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { TOWER_PARTITION_METHODS } from "../../src/problems/tower-partition/solve/plan.js";
import { bruteForceTowers } from "../support/brute-force-towers.js";
import { drawsOf } from "../support/draws.js";
import { planTowerPartition } from "../support/planned.js";
import { randomTowers, towersText } from "../support/random-towers.js";

async function verified(instance: TowerPartitionInstance, method: string) {
  const plan = await planTowerPartition(instance, { method, gap: 0 });
  const verification = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(verification.differences).toEqual([]);
  expect(verification.passed).toBe(true);
  return plan;
}

test("plans from the file on: as good as brute force, verified, and no heuristic is better", async () => {
  const draws = drawsOf(120, 77);
  const random = seededRandom(draws.seed);
  const seen = new Set<string>();
  for (let k = 0; k < draws.amount; k++) {
    const drawn = randomTowers(random, { features: 8 });
    const instance = requireInstance(towerPartitionReader, parseInstance(towersText(drawn), "random.yaml"));
    // What is read is what was drawn.
    expect(await towerInteraction(instance)).toEqual(drawn.interaction);
    const best = bruteForceTowers(drawn.parts, drawn.interaction);
    const plan = await verified(instance, "optimal");
    seen.add(plan.status).add(plan.infeasibility?.kind ?? "feasible");
    expect([k, plan.status]).toEqual([k, best === null ? "infeasible" : "proved"]);
    expect(plan.exact.value).toBe(best?.value.toString() ?? null);
    if (plan.infeasibility?.relaxed) await checkEnough(instance, plan.infeasibility.relaxed.loadRatio);
    if (best === null) continue;
    for (const method of TOWER_PARTITION_METHODS.filter((name) => name !== "optimal")) {
      const other = await verified(instance, method).catch((error: Error) => {
        expect(error.message).toMatch(/found no plan|does not apply/);
        return null;
      });
      if (other !== null) expect(other.objective.value).toBeGreaterThanOrEqual(plan.objective.value as number);
    }
  }
  if (!draws.isWhole) return;
  expect([...seen].sort()).toEqual(expect.arrayContaining(["feasible", "feature", "infeasible", "proved", "sizes"]));
});

/** With the ratio that the file says is enough, there is a partition. */
async function checkEnough(instance: TowerPartitionInstance, ratio: number): Promise<void> {
  const load = { weights: instance.load?.weights ?? [], ratio };
  expect(bruteForceTowers({ ...instance, load }, await towerInteraction(instance))).not.toBeNull();
}
