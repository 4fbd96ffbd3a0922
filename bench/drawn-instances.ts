import { parse } from "yaml";
import { placementProblem } from "../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../models/table-placement/problem.js";
import { UsageError } from "../src/errors/usage-error.js";
import { parseInstance } from "../src/problems/planning/instances.js";
import { searchPlacement } from "../src/problems/table-placement/solve/local-search/index.js";
import { generate } from "../src/study/generate/generate.js";

export interface Drawn {
  readonly tables: number;
  readonly nodes: number;
  readonly gpus: number;
  readonly seed: number;
  /** HBM over the least that a short search finds a plan for; absent: 60 GB. */
  readonly memory?: number;
  /** Whether tables stay in HBM, by fused kernels alone. */
  readonly isFused?: boolean;
}

/** Rounds of the search for the least memory: it ends by these, and not by the clock. */
const ROUNDS = 6;

/**
 * A drawn model under TorchRec's cost model (`shardproof generate tables`), whose memory does not limit, or is so many times
 * the least.
 */
export function drawnPlacement(drawn: Drawn): PlacementProblem {
  return problemOf(drawnText(drawn));
}

/** The instance of {@link drawnPlacement}. */
export function drawnText({ tables, nodes, gpus, seed, memory, isFused = false }: Drawn): string {
  const drawn = generate("tables", { distribution: "torchrec", tables, nodes, gpusPerNode: gpus }, seed);
  const ample = isFused ? withFusedKernels(drawn) : drawn;
  return memory === undefined
    ? ample
    : withCluster(ample, { hbmBytesPerGpu: Math.ceil(memory * leastMemory(problemOf(ample))) });
}

/** A problem with lognormal costs and bytes, and perhaps several options for each table. */
export function lognormalPlacement(tables: number, devices: number, options: number, seed: number): PlacementProblem {
  return problemOf(lognormalText(tables, devices, options, seed));
}

/** The instance of {@link lognormalPlacement}. */
export function lognormalText(tables: number, devices: number, options: number, seed: number): string {
  return generate("tables", { distribution: "lognormal", tables, gpusPerNode: devices, options }, seed);
}

const NAMED = /^(lognormal|torchrec|fused)\/([\dx]+)(?:@([\d.]+))?\/(\d+)$/;

/**
 * The instance that a name stands for: `lognormal/TABLESxDEVICES[xOPTIONS]/SEED`, or with TorchRec's costs
 * `torchrec/TABLESxNODESxGPUS[@MEMORY]/SEED`, where MEMORY is {@link Drawn.memory}; `fused/…` is the same with fused kernels
 * alone. Throws `UsageError` for other names.
 */
export function namedText(name: string): string {
  const [, kind, shape = "", memory, seed] = NAMED.exec(name) ?? [];
  const [tables, second, third = 1] = shape.split("x").map(Number) as [number, number, number?];
  if (kind === "lognormal") return lognormalText(tables, second, third, Number(seed));
  if (kind === undefined)
    throw new UsageError(`${name}: neither lognormal/, torchrec/ nor fused/, with a shape and a seed`);
  const limits = { isFused: kind === "fused", ...(memory === undefined ? {} : { memory: Number(memory) }) };
  return drawnText({ ...{ tables, nodes: second, gpus: third, seed: Number(seed) }, ...limits });
}

/** The problem of {@link namedText}. */
export function namedPlacement(name: string): PlacementProblem {
  return problemOf(namedText(name));
}

/** An instance's text with tables in TorchRec's words, none of which may leave HBM. */
function withFusedKernels(text: string): string {
  const { tables, ...instance } = parse(text) as { readonly tables: readonly DrawnTable[] };
  const fused = tables.map(({ name, rows, dim, dataType, poolingFactor }) => ({
    ...{ name, num_embeddings: rows, embedding_dim: dim, dtype: dataType.toUpperCase() },
    ...{ pooling_factors: [poolingFactor], compute_kernels: ["fused"] },
  }));
  return JSON.stringify({ ...instance, tables: fused });
}

interface DrawnTable {
  readonly name: string;
  readonly rows: number;
  readonly dim: number;
  readonly dataType: string;
  readonly poolingFactor: number;
}

/** An instance's text with other values of its cluster. */
export function withCluster(text: string, values: object): string {
  const instance = parse(text) as { readonly cluster: object };
  return JSON.stringify({ ...instance, cluster: { ...instance.cluster, ...values } });
}

function problemOf(text: string): PlacementProblem {
  const instance = parseInstance(text, "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  return placementProblem(instance);
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
  // What was drawn before the search had ruins stays what it was.
  const without = new Set(["ruins"]);
  return searchPlacement(inBytes, { seed: 0, target: 0, maxRounds: ROUNDS, shouldStop: () => false, without }).largest;
}
