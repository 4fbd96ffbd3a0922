import { parentPort, workerData } from "node:worker_threads";
import type { NetworkTable } from "../../src/cost/neural/features.js";
import { seededRandom } from "../../src/exact/random.js";
import { EmbeddingBag } from "./embedding-bag.js";
import { binsOf, drawLookups } from "./indices.js";
import { trimmedMilliseconds } from "./trimmed-runs.js";

/** What a worker is given: sets of tables, each measured together, forward and backward. */
export interface WorkerTask {
  readonly sets: readonly (readonly NetworkTable[])[];
  readonly batch: number;
  readonly seed: number;
}

/** What a worker says of a set: the bins are those of the look-ups that it drew. */
export interface MeasuredTables {
  readonly set: number;
  readonly milliseconds: number;
  readonly accessBins: readonly (readonly number[])[];
}

const { sets, batch, seed } = workerData as WorkerTask;
const random = seededRandom(seed);
for (const [set, tables] of sets.entries()) {
  const lookups = tables.map((table) => drawLookups(table, batch, random));
  const bags = tables.map(({ rows, dim }, t) => new EmbeddingBag(rows, dim, lookups[t] as (typeof lookups)[number]));
  const milliseconds = trimmedMilliseconds(() => {
    for (const bag of bags) bag.backward(bag.forward());
  });
  parentPort?.postMessage({ set, milliseconds, accessBins: lookups.map(binsOf) } satisfies MeasuredTables);
}
