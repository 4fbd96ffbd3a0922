import { expect, test } from "vitest";
import { leastSeconds, secondsOfLargest, spttSeconds } from "../../models/joint-towers/seconds.js";
import { worldOf } from "../../models/joint-towers/setting.js";
import { towerInteraction } from "../../src/access/interaction/tower-interaction.js";
import { ranksPerTower, type Sharding } from "../../src/access/traffic/exchange.js";
import { rankLoads } from "../../src/cost/dmt/workload.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { requireInstance } from "../../src/instance/reader.js";
import type { TowerJoint } from "../../src/instance/types/tower-partition.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { bruteForceJoint } from "../support/brute-force-joint.js";
import { drawsOf } from "../support/draws.js";
import { planTowerPartition } from "../support/planned.js";
import { extremeJoint, pick, randomJoint, tightJoint } from "../support/random-joint.js";

/** Plans an instance and holds it against brute force, row by row; says what became of each row. */
async function checkedRows(text: string, where: string): Promise<readonly string[]> {
  const instance = requireInstance(towerPartitionReader, parseInstance(text, "random.yaml"));
  const plan = await planTowerPartition(instance, { gap: 0 });
  const { joint } = plan;
  if (joint === undefined || instance.joint === undefined) throw new Error("the plan has no joint");
  const tried = bruteForceJoint(instance, instance.joint, await towerInteraction(instance));
  expect(joint.rows.length).toBe(tried.length);
  for (const { towers, seconds } of tried) {
    const row = joint.rows.find((one) => one.towers === towers);
    const what = `${where}, ${towers} towers`;
    expect([what, row?.status]).toEqual([what, seconds.length === 0 ? "infeasible" : "proved"]);
    const value = row?.seconds.value ?? null;
    if (seconds.length === 0) expect(value).toBe(null);
    else
      expect(Math.min(...seconds.map((one) => Math.abs(one - (value as number)))), what).toBeLessThan(
        Math.max(1e-9, 2 ** -50 * (value as number)),
      );
    expect(row?.seconds.bound, what).toBe(value);
  }
  const values = joint.rows.flatMap(({ seconds }) => seconds.value ?? []);
  expect(joint.seconds.value).toBe(values.length === 0 ? null : Math.min(...values));
  expect(plan.status).toBe(values.length === 0 ? "infeasible" : "proved");
  const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect(differences).toEqual([]);
  expect(passed).toBe(true);
  return joint.rows.map(({ status, partition }) => `${status}${partition.unplaceable ? ", searched on" : ""}`);
}

test.each([
  ["memory that is enough, or not", randomJoint, 71, 40, { proved: 40, infeasible: 5 }],
  [
    "memory that is barely enough, beside loads",
    tightJoint,
    73,
    60,
    { proved: 40, infeasible: 1, "proved, searched on": 5, "infeasible, searched on": 2 },
  ],
  ["numbers far apart", extremeJoint, 75, 20, { proved: 10, infeasible: 3 }],
] as const)(
  "%s: every number of towers, every partition and every place, as good as brute force, and verified",
  async (_what, made, seed, cases, least) => {
    const draws = drawsOf(cases, seed);
    const random = seededRandom(draws.seed);
    const seen: string[] = [];
    for (let k = 0; k < draws.amount; k++) seen.push(...(await checkedRows(JSON.stringify(made(random)), `${k}`)));
    for (const [kind, count] of Object.entries(least)) {
      expect(seen.filter((one) => one === kind).length, kind).toBeGreaterThanOrEqual(draws.atLeast(count));
    }
  },
);

test("no partition into a number of towers is below what is said of any", async () => {
  const draws = drawsOf(40, 74);
  const random = seededRandom(draws.seed);
  let closest = 0;
  for (let k = 0; k < draws.amount; k++) {
    const text = JSON.stringify(randomJoint(random));
    const instance = requireInstance(towerPartitionReader, parseInstance(text, "random.yaml"));
    const joint = instance.joint as TowerJoint;
    for (const { towers, leastOfAny } of bruteForceJoint(instance, joint, await towerInteraction(instance))) {
      const bound = leastSeconds(joint, { towers, hostsPerTower: joint.cluster.nodes / towers }).toNumber();
      if (leastOfAny === null) continue;
      expect(bound, `${k}, ${towers} towers`).toBeLessThanOrEqual(leastOfAny * (1 + 1e-12));
      closest = Math.max(closest, bound / leastOfAny);
    }
  }
  expect(closest).toBeGreaterThan(draws.isWhole ? 0.999 : 0);
});

test("the seconds of a placement are those of its busiest GPU, whatever the shards", () => {
  const random = seededRandom(72);
  for (let k = 0; k < 200; k++) {
    const instance = requireInstance(
      towerPartitionReader,
      parseInstance(JSON.stringify(randomJoint(random)), "random.yaml"),
    );
    const joint = instance.joint as TowerJoint;
    const numbers = [1, 2, 3, 4].filter((one) => joint.cluster.nodes % one === 0 && one <= instance.features.length);
    const towers = pick(random, numbers);
    const shape = { towers, hostsPerTower: joint.cluster.nodes / towers };
    const world = worldOf(joint, shape);
    const members = Array.from({ length: towers }, (_, tower) =>
      [...instance.features.keys()].filter((feature) => feature % towers === tower),
    );
    const workload = {
      world,
      towers: members.map((features) => ({
        features: features.map((feature) => {
          const { dim, poolingFactor: hotness, rows } = joint.tables[feature] as TowerJoint["tables"][number];
          return { dim, hotness, sharding: randomSharding(random, ranksPerTower(world), dim, rows) };
        }),
        ...(joint.modules === null
          ? {}
          : { outputDim: joint.modules.width * (joint.modules.perFeature * features.length + joint.modules.perTower) }),
      })),
      ...{ localBatch: joint.batchPerGpu, elementBytes: joint.wireElementBytes, idBytes: 8, lengthBytes: 4 },
    };
    const largest = Math.max(...rankLoads(workload).map(({ elements }) => elements));
    const bound = secondsOfLargest(joint, shape, members, Rational.fromNumber(largest));
    expect(spttSeconds(joint, workload).exposed.toString(), `${k}`).toBe(bound.toString());
  }
});

function randomSharding(random: Random, slots: number, dim: number, rows: number): Sharding {
  const slot = () => random.integer(slots);
  if (random.integer(3) === 0) return { kind: "table", slot: slot() };
  if (random.integer(2) === 0) {
    return { kind: "columns", shards: Array.from({ length: dim }, () => ({ slot: slot(), columns: 1 })) };
  }
  return { kind: "rows", shards: Array.from({ length: slots }, (_, k) => ({ slot: k, rows: rows / slots })) };
}
