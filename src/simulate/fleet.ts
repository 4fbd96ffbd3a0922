import type { RowTiersInstance } from "../problems/row-tiers/instance/instance.js";

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
