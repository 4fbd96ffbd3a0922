import { placementProblem } from "../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../models/table-placement/problem.js";
import { type GeneratorOptions, generate } from "../src/generate/generate.js";
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

/**
 * A drawn model under TorchRec's cost model (`shardproof generate tables`), whose memory does not limit, or is so many times
 * the least.
 */
export function drawnPlacement({ tables, nodes, gpus, seed, memory }: Drawn): PlacementProblem {
  const ample = generatedPlacement({ distribution: "torchrec", tables, nodes, gpusPerNode: gpus }, seed);
  return memory === undefined ? ample : withMemory(ample, memory * leastMemory(ample));
}

/** A problem with lognormal costs and bytes, and perhaps several options for each table. */
export function lognormalPlacement(tables: number, devices: number, options: number, seed: number): PlacementProblem {
  return generatedPlacement({ distribution: "lognormal", tables, gpusPerNode: devices, options }, seed);
}

/** The problem of a drawn instance of table placement. */
function generatedPlacement(options: GeneratorOptions<"tables">, seed: number): PlacementProblem {
  const instance = parseInstance(generate("tables", options, seed), "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  return placementProblem(instance);
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
