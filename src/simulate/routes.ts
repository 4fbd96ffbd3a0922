import { COLLECTIVES, type Collective } from "../instance/cluster.js";
import type { RowTiersInstance, RowTiersObjective, Tier } from "../instance/types/row-tiers.js";

/** Most GPUs that are followed one by one; of larger clusters only the sums over all GPUs are. */
export const MAX_FOLLOWED_GPUS = 128;

/**
 * The GPUs that traffic is simulated on: U = nodes · gpusPerNode, GPU g in node ⌊g / gpusPerNode⌋, each with
 * `batchPerGpu` samples of every iteration.
 */
export interface Fleet {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly gpus: number;
  readonly batchPerGpu: number;
  /** Samples of an iteration: gpus · batchPerGpu. */
  readonly samples: number;
  /** Whether every GPU's traffic is counted by itself. */
  readonly followed: boolean;
}

export function fleetOf({ cluster: { nodes, gpusPerNode }, training: { batchPerGpu } }: RowTiersInstance): Fleet {
  const gpus = nodes * gpusPerNode;
  const samples = gpus * batchPerGpu;
  return { nodes, gpusPerNode, gpus, batchPerGpu, samples, followed: gpus <= MAX_FOLLOWED_GPUS };
}

/**
 * Where the rows of a tier live, and what moves when a sample reads one: all that the simulation knows of a tier.
 *
 * A copy of the rows is spread over one GPU, the GPUs of a node, or the whole cluster, and every such group has a copy.
 */
export interface Route {
  readonly spread: "gpu" | "node" | "cluster";
  /** Whole rows over the group, row r to its GPU number r mod size, or every row's elements in equal blocks. */
  readonly split: "rows" | "columns";
  /** Where a copy lives: in the GPUs' own memories, or in those of their hosts, each with the rows of its GPUs. */
  readonly memory: "gpu" | "host";
  /** Carries looked-up rows from the host to the GPU that holds them (forward) and their gradients back (backward). */
  readonly fetch: Collective | null;
  /** Carries looked-up rows to the GPU of the sample (forward) and their gradients back (backward). */
  readonly lookup: Collective | null;
  /** Adds up the gradients of the copies (backward). Replicas need the optimizer's memory factor κ. */
  readonly reduce: Collective | null;
  /** Whether the GPU that holds the row needs a buffer for what it sends, beside the receiver's. */
  readonly sendBuffer: boolean;
}

/**
 * What runs one after the other, by objective: an iteration takes as long as the longest of these, of which others run
 * beside it (`exposed`, the reading of FlexShard's authors, hides the intra-node and cross-node collectives altogether).
 */
export const CHANNELS: Readonly<Record<RowTiersObjective, readonly (readonly Collective[])[]>> = {
  serial: [COLLECTIVES],
  exposed: [["hostToDevice", "allToAllGlobal", "allReduceGlobal"]],
  channels: [["hostToDevice", "allToAllGlobal", "allReduceGlobal", "allReduceCross"], ["allToAllIntra"]],
};

/** Forward and backward. */
export const LOOKUP_PASSES = 2;

const ROW_WISE: Route = {
  spread: "cluster",
  split: "rows",
  memory: "gpu",
  fetch: null,
  lookup: "allToAllGlobal",
  reduce: null,
  sendBuffer: true,
};

/**
 * The routes of FlexShard (Sethi et al., MLSys 2023), section 3 (uniform strategies) and section 4.4 (Flex), and that of
 * rows in host memory (RecShard's UVM, Sethi et al., ASPLOS 2022), which the GPU that holds them fetches before it sends
 * them on.
 */
export const ROUTES: Readonly<Record<Tier, Route>> = {
  row_wise: ROW_WISE,
  column_wise: { ...ROW_WISE, split: "columns" },
  data_parallel: { ...ROW_WISE, spread: "gpu", lookup: null, reduce: "allReduceGlobal", sendBuffer: false },
  flex: { ...ROW_WISE, spread: "node", lookup: "allToAllIntra", reduce: "allReduceCross" },
  host: { ...ROW_WISE, memory: "host", fetch: "hostToDevice" },
};

/** GPUs that share one copy of a tier's rows: groups are GPUs with neighbouring numbers. */
export function groupSize({ spread }: Route, fleet: Fleet): number {
  if (spread === "cluster") return fleet.gpus;
  return spread === "node" ? fleet.gpusPerNode : 1;
}

/** The place in its group of the GPU that holds a row; tables start at different GPUs, so that their hottest rows do. */
export function placeOfRow(rank: number, table: number, size: number): number {
  return ((rank % size) + (table % size)) % size;
}

/** First of the elements of a row, `dim` in all, that the GPU at `place` of its group holds when rows are cut by columns. */
export function firstElement(place: number, size: number, dim: number): number {
  return Math.floor((place * dim) / size);
}
