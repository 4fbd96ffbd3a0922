import { expect, test } from "vitest";
import { leastSeconds } from "../../models/joint-towers/seconds.js";
import { towerInteraction } from "../../src/access/interaction/tower-interaction.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { requireInstance } from "../../src/instance/reader.js";
import type { TowerJoint, TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { towerPartitionReader } from "../../src/problems/tower-partition/instance/reader.js";
import { bruteForceFreedoms } from "../support/brute-force-freedoms.js";
import { bruteForceJoint } from "../support/brute-force-joint.js";
import { drawsOf } from "../support/draws.js";
import { planTowerPartition } from "../support/planned.js";

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}

type Freedoms = "hot rows" | "caches" | "both";

/** Two or three features on up to four GPUs; rows fall in bins of multiples of four, so that they are dealt evenly. */
function randomInstance(random: Random, freedoms: Freedoms) {
  const [nodes, gpusPerNode] = pick(
    random,
    freedoms === "hot rows"
      ? ([
          [1, 2],
          [2, 1],
          [2, 2],
        ] as const)
      : ([
          [1, 2],
          [1, 2],
          [1, 2],
          [2, 2],
        ] as const),
  );
  const count = nodes * gpusPerNode === 4 ? 2 : 2 + random.integer(2);
  const features = Array.from({ length: count }, (_, k) => `f${k}`);
  const interaction = features.map(() => new Array<number>(count).fill(1));
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      const value = random.next();
      (interaction[i] as number[])[j] = value;
      (interaction[j] as number[])[i] = value;
    }
  }
  const tables = features.map((name, k) => {
    const bins = [4, 4 * (1 + random.integer(3)), 4 * (2 + random.integer(8))];
    const read = [0.04 + 0.2 * random.next(), 0.02 * random.next(), 0.004 * random.next()].sort((a, b) => b - a);
    const histogram = bins.map((rows, at) => [rows, read[at] as number]);
    return {
      ...{ name, rows: bins.reduce((a, b) => a + b), dim: 1 + random.integer(2) },
      ...{ dataType: pick(random, ["fp32", "fp16"]), poolingFactor: pick(random, [1, 1, 2, 3.5]) },
      ...(k > 0 && random.integer(5) === 0 ? {} : { access: { histogram } }),
    };
  });
  const hasCaches = freedoms !== "hot rows";
  return {
    ...{ shardproof: 1, name: "random", problem: "tower-partition", features, interaction, tables },
    sizeRatio: pick(random, [1, 2]),
    cluster: {
      ...{ nodes, gpusPerNode },
      ...(random.integer(5) === 0 ? {} : { hbmBytesPerGpu: 60 + random.integer(300) }),
      ...(hasCaches && random.integer(2) === 0 ? { hostBytesPerGpu: 100 + random.integer(300) } : {}),
      bandwidth: {
        insideHost: pick(random, [20, 60, 100]),
        acrossHosts: [
          [2, 30],
          [4, 10 + random.integer(9)],
        ],
        ...(hasCaches ? { hostMemory: pick(random, [5, 20, 200]) } : {}),
      },
    },
    training: { batchPerGpu: 2 + random.integer(20) },
    ...(freedoms === "caches" ? {} : { splits: { hotRows: true } }),
    ...(hasCaches ? { caches: true } : {}),
    ...(random.integer(3) === 0 ? { towerModules: { width: 2, perFeature: random.integer(2), perTower: 1 } } : {}),
  };
}

function readInstance(document: unknown): TowerPartitionInstance & { readonly joint: TowerJoint } {
  const instance = requireInstance(towerPartitionReader, parseInstance(JSON.stringify(document), "random.yaml"));
  if (instance.joint === undefined) throw new Error("the instance has no tables");
  return { ...instance, joint: instance.joint };
}

/** Twice the gap that is asked for, which is of doubles here. */
const ROUNDING = 2e-9;

test.each([
  ["hot rows", 91, 40, { better: 15, infeasible: 1, hot: 15, cached: 0 }],
  ["caches", 92, 40, { better: 0, infeasible: 1, hot: 0, cached: 5 }],
  ["both", 93, 40, { better: 5, infeasible: 1, hot: 5, cached: 3 }],
] as const)(
  "%s: every partition, split, cache and place, as good as brute force, verified, and not above plans without",
  async (freedoms, seed, cases, least) => {
    const draws = drawsOf(cases, seed);
    const random = seededRandom(draws.seed);
    const seen = { better: 0, infeasible: 0, hot: 0, cached: 0 };
    for (let k = 0; k < draws.amount; k++) {
      const document = randomInstance(random, freedoms);
      const instance = readInstance(document);
      const { joint } = instance;
      const plan = await planTowerPartition(instance);
      const interaction = await towerInteraction(instance);
      const tried = bruteForceJoint(instance, joint, interaction, bruteForceFreedoms(joint));
      const { splits: _, caches: __, ...plain } = { splits: null, caches: null, ...document };
      const { hostMemory: ___, ...bandwidth } = { hostMemory: 0, ...document.cluster.bandwidth };
      const { hostBytesPerGpu: ____, ...cluster } = { hostBytesPerGpu: 0, ...document.cluster, bandwidth };
      const without = await planTowerPartition(readInstance({ ...plain, cluster }));
      for (const { towers, seconds, leastOfAny } of tried) {
        const what = `${k}, ${towers} towers`;
        const row = plan.joint?.rows.find((one) => one.towers === towers);
        const value = row?.seconds.value ?? null;
        expect([what, row?.status]).toEqual([what, seconds.length === 0 ? "infeasible" : "proved"]);
        if (row === undefined || value === null) {
          expect(seconds, what).toEqual([]);
          seen.infeasible++;
          continue;
        }
        const nearest = Math.min(...seconds.map((one) => Math.abs(one - value)));
        expect(nearest / Math.max(...seconds, 1e-300), what).toBeLessThan(ROUNDING);
        const bound = row.seconds.bound as number;
        expect(value - bound, what).toBeLessThanOrEqual(ROUNDING * value);
        const shape = { towers, hostsPerTower: joint.cluster.nodes / towers };
        expect(leastSeconds(joint, shape).toNumber(), what).toBeLessThanOrEqual(
          (leastOfAny as number) * (1 + ROUNDING),
        );
        const plainRow = without.joint?.rows.find((one) => one.towers === towers);
        const isSame = plainRow?.partition.numbering?.join() === row.partition.numbering?.join();
        if (isSame && typeof plainRow?.seconds.value === "number") {
          // Either is proved to a gap, and rounded.
          expect(value, what).toBeLessThanOrEqual(plainRow.seconds.value * (1 + ROUNDING));
          if (value < plainRow.seconds.value * (1 - ROUNDING)) seen.better++;
        }
        // Hot rows need memory beside the others: they let no partition in that had no place.
        if (freedoms === "hot rows") expect([what, plainRow?.status]).toEqual([what, row.status]);
      }
      for (const { hotRows, cacheLoadFactor } of plan.joint?.tables ?? []) {
        if (hotRows !== undefined) seen.hot++;
        if (cacheLoadFactor !== undefined) seen.cached++;
      }
      if (freedoms === "hot rows" && typeof without.joint?.seconds.value === "number") {
        expect(plan.joint?.seconds.value).toBeLessThanOrEqual(without.joint.seconds.value);
      }
      const { passed, differences } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
      expect(differences).toEqual([]);
      expect(passed).toBe(true);
    }
    for (const [kind, count] of Object.entries(least)) {
      expect(seen[kind as keyof typeof seen], kind).toBeGreaterThanOrEqual(draws.atLeast(count));
    }
  },
  600_000,
);
