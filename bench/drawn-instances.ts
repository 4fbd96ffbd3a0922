import { placementProblem } from "../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../models/table-placement/problem.js";
import { type Random, seededRandom } from "../src/exact/random.js";
import { parseInstance } from "../src/problems/instances.js";
import { searchPlacement } from "../src/problems/table-placement/solve/local-search/index.js";

export interface Drawn {
  readonly tables: number;
  readonly nodes: number;
  readonly gpus: number;
  readonly seed: number;
  /** HBM over the least that a short search finds a plan for; absent: 60 GB. */
  readonly memory?: number;
}

/** Rounds of the search for the least memory: it ends by these, and not by the clock. */
const ROUNDS = 6;

/** HBM that does not limit, and host memory, per GPU. */
const AMPLE = 60e9;
const HOST = 100e9;

/**
 * A drawn model under TorchRec's cost model, as a planner meets it: lognormal numbers of rows from 100 to 4e7,
 * dimensions 16 to 128, pooling from 1 to 50, FP16 or FP32, every sharding type and kernel.
 */
export function drawnPlacement({ tables, nodes, gpus, seed, memory }: Drawn): PlacementProblem {
  const random = seededRandom(seed);
  const lines = Array.from({ length: tables }, (_, t) => {
    const rows = Math.round(Math.min(4e7, Math.max(100, Math.exp(Math.log(2e5) + 2.8 * normal(random)))));
    const dim = [16, 32, 64, 128][Math.floor(4 * random.next())];
    const pooling = Math.round(50 ** random.next());
    const dtype = random.next() < 0.5 ? "FP16" : "FP32";
    const size = `num_embeddings: ${rows}, embedding_dim: ${dim}, dtype: ${dtype}`;
    return `  - {name: t${t}, ${size}, pooling_factors: [${pooling}]}`;
  });
  const tight = memory === undefined ? "" : `-${memory}`;
  const problemWith = (hbm: number) => {
    const text = [
      "shardproof: 1",
      `name: drawn-${tables}-${nodes}x${gpus}${tight}-${seed}`,
      "problem: table-placement",
      "costModel: torchrec",
      `cluster: {nodes: ${nodes}, gpusPerNode: ${gpus}, hbmBytesPerGpu: ${hbm}, hostBytesPerGpu: ${HOST}}`,
      "torchrec: {batch_size: 4096}",
      "tables:",
      ...lines,
    ].join("\n");
    const instance = parseInstance(text, "drawn.yaml");
    if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
    return placementProblem(instance);
  };
  const ample = problemWith(AMPLE);
  return memory === undefined ? ample : withMemory(ample, memory * leastMemory(ample));
}

function withMemory(problem: PlacementProblem, bytes: number): PlacementProblem {
  return { ...problem, hbmBytes: problem.hbmBytes.map(() => Math.ceil(bytes)) };
}

/** The least HBM per GPU that a search finds a plan for: bytes in place of costs. */
function leastMemory(problem: PlacementProblem): number {
  const inBytes: PlacementProblem = {
    ...problem,
    tables: problem.tables.map((table) => ({
      ...table,
      options: table.options.map((option) => ({
        ...option,
        shards: option.shards.map((shard) => ({ ...shard, cost: shard.hbmBytes })),
      })),
    })),
  };
  return searchPlacement(inBytes, { seed: 0, target: 0, maxRounds: ROUNDS, shouldStop: () => false }).largest;
}

/** A standard normal number (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
