/**
 * What devices take for several embedding tables together: forward and backward passes over typed arrays, some workers at
 * the same time on different sets. Writes measured costs for `shardproof learn-cost` (the format is in
 * instances/costs/README.md), or measures FILE.csv's tables in place of the published ones. Costs are this machine's and this
 * code's; `embedding-cost/embedding_cost_gpu.py` measures a GPU.
 *
 * `npm run bench -- embedding-cost --out costs.json [--tables FILE.csv] [--workers 2] [--sets 20] [--batch 256] [--seed 0]
 * [--most-mib 64]`: tables of more than `most-mib` MiB are left out.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { FEWEST_SETS } from "../src/cost/neural/cost-data.js";
import type { NetworkTable } from "../src/cost/neural/features.js";
import { readTables } from "../src/cost/neural/read-data.js";
import { type Random, seededRandom } from "../src/exact/random.js";
import type { MeasuredTables, WorkerTask } from "./embedding-cost/worker.js";

/** Widths and numbers of tables of a set, as in the measured costs that the package ships. */
const DIMS = [128, 64, 32, 16, 8, 4];
const MAX_TABLES = 15;
const ELEMENT_BYTES = 4;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    out: { type: "string", default: "costs.json" },
    tables: { type: "string", default: "instances/costs/meta-synthetic-856.csv" },
    workers: { type: "string", default: "2" },
    sets: { type: "string", default: "20" },
    batch: { type: "string", default: "256" },
    seed: { type: "string", default: "0" },
    "most-mib": { type: "string", default: "64" },
  },
});
const [workers, sets, batch] = [atLeast("workers", 1), atLeast("sets", FEWEST_SETS), atLeast("batch", 1)];
const [seed, mostBytes] = [atLeast("seed", 0), atLeast("most-mib", 1) * 2 ** 20];
const random = seededRandom(seed);
const known = readTables(readFileSync(values.tables, "utf8"), values.tables).flatMap((shape) =>
  DIMS.map((dim): NetworkTable => ({ ...shape, dim, elementBytes: ELEMENT_BYTES })),
);
const small = known.filter(({ rows, dim }) => rows * dim * ELEMENT_BYTES <= mostBytes);
const drawn = Array.from({ length: sets }, () => drawSet(small, random));
const shares = Array.from({ length: workers }, (_, w) => drawn.filter((__, s) => s % workers === w));
const measured = await Promise.all(
  shares.map((share, w) => measureShare({ sets: share, batch, seed: seed * workers + w })),
);

const tables: object[] = [];
const costs = measured.flat().map(({ set, milliseconds }) => ({
  cost: Number(milliseconds.toFixed(4)),
  tables: set.map((table) => tables.push(table) - 1),
}));
const source = `bench embedding-cost: typed arrays of fp32, forward and backward, batch ${batch}, ${workers} workers at the same time`;
writeFileSync(
  values.out,
  `${JSON.stringify({ shardproof: 1, kind: "measured-costs", source, tables, sets: costs }, null, 1)}\n`,
);
console.log(`${costs.length} sets of ${tables.length} tables → ${values.out}`);

/** An option that is a whole number; ends the program with one line where it is not. */
function atLeast(name: "workers" | "sets" | "batch" | "seed" | "most-mib", least: number): number {
  const value = Number(values[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name}: expected an integer of at least ${least}, received ${values[name]}`);
  process.exit(2);
}

/** Milliseconds of each set, and its tables with the bins that their look-ups had. */
function measureShare(task: WorkerTask): Promise<readonly { set: readonly object[]; milliseconds: number }[]> {
  return new Promise((resolve, reject) => {
    const results: { set: readonly object[]; milliseconds: number }[] = [];
    const worker = new Worker(new URL("./embedding-cost/worker.js", import.meta.url), { workerData: task });
    worker.on("message", ({ set, milliseconds, accessBins }: MeasuredTables) => {
      const listed = (task.sets[set] as readonly NetworkTable[]).map(({ rows, dim, poolingFactor }, t) => ({
        ...{ rows, dim, dataType: "fp32", poolingFactor },
        accessBins: accessBins[t],
      }));
      results.push({ set: listed, milliseconds });
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(results));
  });
}

function drawSet(from: readonly NetworkTable[], stream: Random): readonly NetworkTable[] {
  return Array.from(
    { length: 1 + stream.integer(MAX_TABLES) },
    () => from[stream.integer(from.length)] as NetworkTable,
  );
}
