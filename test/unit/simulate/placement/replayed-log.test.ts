import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownClasses } from "../../../../src/access/known-classes.js";
import { showSimulatedPlacement } from "../../../../src/cli/show/simulated-placement.js";
import { seededRandom } from "../../../../src/exact/random.js";
import { DrawnRows } from "../../../../src/simulate/placement/drawn-iteration.js";
import { replayPlaced } from "../../../../src/simulate/plans/placement-plan.js";
import { instanceOf, planOf } from "./support.js";

const FOLDER = mkdtempSync(join(tmpdir(), "replayed-"));
const BINS = [
  [80, 0.05],
  [920, 0.004],
  [3000, 0.0006],
] as const;

/** Eight devices of two hosts, 64 samples each in an iteration. */
const SAMPLES = 512;

function write(name: string, samples: readonly (readonly (number | string)[])[]): string {
  const file = join(FOLDER, name);
  writeFileSync(file, samples.map((ids) => `${ids.join(" ")}\n`).join(""));
  return file;
}

/** The 80 hottest rows on every device, the others on the first one with a cache of the 920 after them. */
function hotPlan(release = "1.9") {
  const table = { poolingFactor: 1, access: { histogram: BINS }, sharding_types: ["table_wise", "data_parallel"] };
  const kernels = { compute_kernels: ["fused_uvm_caching", "dense"] };
  const torchrec = { batch_size: 64, version: release };
  const instance = instanceOf({ ...table, ...kernels }, { torchrec, splits: { hotRows: true }, caches: true });
  const isWanted = ({ hot, cache }: { hot?: { rows: number }; cache?: { loadFactor: number } }) =>
    hot?.rows === 80 && cache !== undefined && Math.abs(cache.loadFactor - 920 / 3920) < 1e-9;
  return planOf(instance, isWanted, () => 0);
}

test("by hand: hot rows stay, others go to their device and back, and a cache misses what is beyond it in an iteration", async () => {
  const hot = Array.from({ length: SAMPLES }, (_, s) => [s % 80]);
  // Rows 180 to 1,203 in pairs: two ids a sample, of which 100 and more are in the cache's 920.
  const cold = Array.from({ length: SAMPLES }, (_, s) => [180 + 2 * s, 181 + 2 * s]);
  const file = write("hand.txt", [...hot, ...cold, [0], [1], [2]]);
  const { comparisons, traffic, caches } = await replayPlaced(hotPlan(), { file }, {});
  expect(traffic).toMatchObject({ kind: "replayed", table: "t", batches: 2, leftOutSamples: 3, lookups: 3 * SAMPLES });
  const observed = (quantity: string, part: string, link: string | null = null) =>
    comparisons.find((one) => one.quantity === quantity && one.part === part && one.link === link)?.observed as number;
  expect([observed("look-ups", "hot"), observed("look-ups", "cold")]).toEqual([SAMPLES / 2, SAMPLES]);
  // Of 1,024 ids in two iterations, 8 bytes each: 1/8 of device 0, 3/8 of its host, 4/8 of the other.
  expect(["own", "inside", "between"].map((link) => observed("ids", "cold", link))).toEqual([512, 1536, 2048]);
  const vectors = ["own", "inside", "between"].map((link) => observed("vectors", "cold", link));
  expect(vectors.map((bytes) => bytes / (vectors[0] as number))).toEqual([1, 3, 4]);
  expect(observed("misses", "cold")).toBe((1204 - 1000) / 2);
  expect(caches[0]).toMatchObject({ distinct: SAMPLES, misses: 102 });
});

test("a log drawn from the table's own access agrees; one that reads all rows alike does not, and both are shown", async () => {
  const random = seededRandom(5);
  const rows = new DrawnRows(knownClasses({ kind: "histogram", bins: BINS }, 4000));
  const drawn = write(
    "drawn.txt",
    Array.from({ length: 20 * SAMPLES }, () => [rows.draw(random)]),
  );
  const run = await replayPlaced(hotPlan(), { file: drawn }, {});
  expect(run.comparisons.filter(({ within }) => !within)).toEqual([]);
  expect(run.verdict).toMatchObject({ outcome: "agrees", outside: 0 });
  expect(showSimulatedPlacement(run)).toContain(`replayed, exact: 20 batches on 2 × 4 GPUs`);
  const flat = write(
    "flat.txt",
    Array.from({ length: 20 * SAMPLES }, () => [random.integer(4000)]),
  );
  const other = await replayPlaced(hotPlan(), { file: flat }, {});
  expect(other.verdict.outcome).toBe("differs");
});

test("ids have the ranks of a rank file, and bags of different lengths their own spread", async () => {
  const ids = Array.from({ length: 4000 }, (_, k) => `id${k}`);
  const rankFile = write(
    "ranks.txt",
    ids.map((id) => [id]),
  );
  const file = write(
    "named.txt",
    Array.from({ length: SAMPLES }, (_, s) => (s % 2 === 0 ? ["id79", "id80"] : [])),
  );
  const { comparisons } = await replayPlaced(hotPlan(), { file, rankFile }, {});
  const lookups = comparisons.filter(({ quantity, device }) => quantity === "look-ups" && device === null);
  expect(lookups.map(({ observed }) => observed)).toEqual([256, 256]);
  // One id by itself or none would vary less than two or none do.
  expect(lookups[0]?.standardError).toBeGreaterThan(Math.sqrt(SAMPLES / 4));
});

test.each([
  ["short", [[1], [2]], "expected a log of at least 512 samples, an iteration of 8 devices, received 2"],
  ["beyond", [[1], [4000]], "2:1: expected a rank from 0 to 3999, received"],
])("%s: refused in one line", async (name, samples, message) => {
  const file = write(`${name}.txt`, samples as number[][]);
  await expect(replayPlaced(hotPlan(), { file }, {})).rejects.toThrow(message);
});
