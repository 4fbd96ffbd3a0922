import { expect, test } from "vitest";
import { stringify } from "yaml";
import { InputError } from "../../src/errors/input-error.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { towerShardingPlan } from "../../src/interop/torchrec/export-towers.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { programText } from "../../src/problems/exportable.js";
import { readExportableJoint } from "../../src/problems/joint-towers/exportable.js";
import { readExportable } from "../../src/problems/planning/export.js";
import { parseInstance } from "../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { readProgram } from "../../src/program/read-program.js";
import { simulateTowers } from "../../src/simulate/plans/exchange-plan.js";
import { drawsOf } from "../support/draws.js";
import { planTowerPartition } from "../support/planned.js";

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}

/** Names that some program would trip over. */
const NAMES = [
  "é",
  "e\u0301",
  "日本",
  "constructor",
  "toString",
  "a b",
  "x.y",
  "#",
  "-1",
  "f,1",
  'q"q',
  "👍",
  "a\nb",
  "1e3",
];

/** Matrices that are no clean ones: all alike, subnormal, as single precision leaves them. */
function oddMatrix(random: Random, size: number): number[][] {
  const kind = random.integer(6);
  const value = () => [random.next(), 0.5, 0, 1, 1e-300 * random.next(), random.next()][kind] as number;
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(kind === 5 ? 1 - 1e-9 : 1));
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const entry = value();
      (matrix[i] as number[])[j] = entry;
      (matrix[j] as number[])[i] = kind === 5 ? Math.min(1, entry + 1e-12) : entry;
    }
  }
  return matrix;
}

/** As odd as the format allows: one feature, as many towers as features, tables of a row, numbers from 1e-9 to 1e300. */
function oddInstance(random: Random): Record<string, unknown> {
  const size = pick(random, [1, 2, 2, 3, 4, 5, 6]);
  const names = new Set<string>();
  while (names.size < size) names.add(random.integer(2) === 0 ? `f${names.size}` : pick(random, NAMES));
  const features = [...names];
  const nodes = pick(random, [1, 1, 2, 3, 4, 6]);
  const ratio = random.integer(3) === 0 ? { loadRatio: pick(random, [1, 1.1, 2]) } : {};
  const load =
    random.integer(3) === 0 ? { load: features.map(() => pick(random, [0, 1, 2.5, 1e-9, 1e9])), ...ratio } : {};
  const shared = {
    ...{ shardproof: 1, name: pick(random, ["x", "👍 n", "a\tb"]), problem: "tower-partition", features, ...load },
    interaction: oddMatrix(random, size),
    sizeRatio: pick(random, [1, 1, 1.5, 3, 1e9]),
    strategy: pick(random, ["coherent", "diverse"]),
    objective: pick(random, ["pairwise", "kmeans"]),
  };
  if (random.integer(3) === 0) return { ...shared, towers: pick(random, [1, 2, size, size + 1]) };
  const links = { insideHost: pick(random, [1e-9, 1, 1e300]), acrossHosts: pick(random, [1, [[2, 30]], [[100, 1e9]]]) };
  const memory = random.integer(2) === 0 ? {} : { hbmBytesPerGpu: pick(random, [1, 100, 123.5, 1e4, 8e10]) };
  return {
    ...shared,
    towers: pick(random, ["any", 1]),
    cluster: {
      ...{ nodes, gpusPerNode: pick(random, [1, 2, 3, 8]), bandwidth: links, ...memory },
      latency: { insideHost: pick(random, [0, 1e-300]), acrossHosts: pick(random, [0, 5]) },
    },
    training: {
      batchPerGpu: pick(random, [1, 2, 16384, 2 ** 40]),
      wireDataType: pick(random, ["fp32", "fp16", "int8"]),
    },
    tables: features.map((name) => ({
      ...{ name, rows: pick(random, [1, 2, 7, 100, 4e9]), dim: pick(random, [1, 3, 4, 128]) },
      poolingFactor: pick(random, [1e-9, 1, 2.5, 100]),
    })),
    ...(random.integer(3) === 0 ? { towerModules: { width: pick(random, [1, 64]), perFeature: 1, perTower: 2 } } : {}),
  };
}

test("odd instances: a plan that verifies, and whose exports and exchange agree with it", async () => {
  const draws = drawsOf(60, 23, 15);
  const random = seededRandom(draws.seed);
  const seen = new Set<string>();
  for (let k = 0; k < draws.amount; k++) {
    const file = `odd-${k}.json`;
    const instance = parseInstance(JSON.stringify(oddInstance(random)), file);
    if (instance.problem !== "tower-partition") throw new Error("no instance of towers");
    const plan = await planTowerPartition(instance, { timeLimitSeconds: 5 });
    const text = writePlan(plan);
    expect([file, /NaN|Infinity|undefined/.test(text)]).toEqual([file, false]);
    const open = async () => instance;
    expect([file, (await verifyPlanText(text, "plan.json", open)).passed]).toEqual([file, true]);
    const exported = await readExportable(text, "plan.json", open);
    readProgram(programText(await exported.program(), "lp"), "program.lp");
    const isJoint = plan.joint !== undefined;
    seen.add(`${isJoint ? "joint" : "partition"} ${plan.status}`);
    if (!isJoint || plan.towers === null) continue;
    const joint = await readExportableJoint(text, "plan.json", open);
    const shards = () => Object.values(towerShardingPlan(joint).plan).flatMap((tables) => Object.values(tables));
    // TorchRec's blocks of rows may be beyond memory that the plan fills to the last rows.
    const left = (plan.joint?.memory.hbmBytesPerGpu ?? Infinity) - Math.max(...(plan.joint?.deviceBytes ?? []));
    const blocks = instance.joint?.tables.reduce((sum, { dim, elementBytes }) => sum + dim * elementBytes, 0) ?? 0;
    try {
      expect([file, shards().length]).toEqual([file, instance.features.length]);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect(error.message).toMatch(/in TorchRec's blocks, received .*; lower hbmBytesPerGpu by \d+ and plan again/);
      expect([file, left < blocks]).toEqual([file, true]);
    }
    const { verdict } = await simulateTowers(JSON.parse(text), { text, file: "plan.json", seed: 1 }, open);
    expect([file, verdict.within]).toEqual([file, true]);
  }
  const all = ["joint infeasible", "joint proved", "partition infeasible", "partition proved"];
  expect(all).toEqual(expect.arrayContaining([...seen]));
  if (draws.isWhole) expect(seen.size).toBe(all.length);
}, 300_000);

/** What a slip of a hand, or of a program, puts in the place of a value. */
const SLIPS = [
  null,
  true,
  "",
  "x",
  "any",
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  4097,
  [],
  {},
  [1],
  [[2, 3]],
  "constructor",
  { file: "m.txt" },
];

/** One value, wherever it is, becomes another, goes, or is there twice. */
function slipped(random: Random, instance: Record<string, unknown>): unknown {
  const copy = structuredClone(instance);
  let at = copy as Record<string, unknown>;
  for (;;) {
    const key = pick(random, Object.keys(at));
    const inner = at[key];
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length > 0 && random.integer(4) > 0) {
      at = inner as Record<string, unknown>;
      continue;
    }
    const how = random.integer(4);
    if (how === 0) delete at[key];
    else if (how === 1) at[`${key}s`] = inner;
    else at[key] = pick(random, SLIPS);
    return copy;
  }
}

test("instances with a slip are read, or refused in one line with its place", () => {
  const draws = drawsOf(600, 24);
  const random = seededRandom(draws.seed);
  let refused = 0;
  for (let k = 0; k < draws.amount; k++) {
    const changed = slipped(random, oddInstance(random));
    const text = k % 2 === 0 ? stringify(changed) : JSON.stringify(changed, null, 1);
    try {
      parseInstance(k % 5 === 0 ? text.slice(0, random.integer(text.length)) : text, "slip.yaml");
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect(error.message).toMatch(/^slip\.yaml:\d+:\d+: [^\n]+$/);
      refused++;
    }
  }
  expect(refused).toBeGreaterThanOrEqual(draws.atLeast(300));
});
