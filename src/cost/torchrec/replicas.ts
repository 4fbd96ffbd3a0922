import type { ComputeKernel } from "./kernels.js";
import type { DeviceMemory, TorchrecProblem, TorchrecTable } from "./problem.js";
import type { TorchrecPerf } from "./shard-runs.js";
import type { ShardingType } from "./sharding-types.js";
import type { ShardShape } from "./shards.js";
import { optimizerState } from "./storage/kept.js";

/** The ranks that hold a copy of one shard. */
export interface CopyRanks {
  readonly copies: number;
  /** Hosts that they are on, and how many are on each. */
  readonly copyHosts: number;
  readonly copiesPerHost: number;
}

/**
 * Milliseconds of an all-reduce over all copies for each byte of a copy, in bytes per millisecond: the ring's 2 · (n − 1) / n
 * passes of every byte over the slowest link (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, 2009; NCCL's bus
 * bandwidth). Between hosts every rank has a network card of its own, as TorchRec has it. A reduce-scatter and the all-gather
 * that undoes it take as long together.
 */
export function ringMilliseconds(
  { copies, copyHosts, copiesPerHost }: CopyRanks,
  { intraHost, interHost }: { readonly intraHost: number; readonly interHost: number },
): number {
  if (copies === 1) return 0;
  const slowest = copyHosts === 1 ? intraHost : Math.min(intraHost, interHost * copiesPerHost);
  return (2 * (copies - 1)) / copies / slowest;
}

type Shape = Pick<ShardShape, "sizes">;

/**
 * Bytes of a shard that are averaged over the copies: weights, and the optimizer's state where it is synchronised. None of a
 * data-parallel table, whose gradients are added up over all ranks in every iteration, and of what is not trained.
 */
export function synchronisedBytes(
  { replicas, settings }: Pick<TorchrecProblem, "replicas" | "settings">,
  { sharder, elementBytes, optimizer }: TorchrecTable,
  shardingType: string,
  { sizes: [rows, columns] }: Shape,
): number {
  const isTrained = !settings.isInference && sharder !== "quant_embedding_bag_collection";
  if (replicas === undefined || !isTrained || shardingType === "data_parallel") return 0;
  const state = optimizerState(replicas.syncsOptimizerState ? (optimizer ?? null) : null);
  return rows * columns * (elementBytes + state.cellBytes) + rows * state.rowBytes;
}

/** The time of a shard with what its synchronisation takes of each iteration, which counts as backward communication. */
export function withSynchronisation(
  problem: TorchrecProblem,
  table: TorchrecTable,
  shardingType: ShardingType,
  shape: Shape,
  perf: TorchrecPerf,
): TorchrecPerf {
  const { replicas } = problem;
  if (replicas === undefined || replicas.millisecondsPerByte === 0) return perf;
  const milliseconds = synchronisedBytes(problem, table, shardingType, shape) * replicas.millisecondsPerByte;
  return { ...perf, backwardComms: perf.backwardComms + milliseconds };
}

/** The problem as a sharding type sees it: gradients of data-parallel tables are added up over all ranks of the cluster. */
export function seenBy(problem: TorchrecProblem, shardingType: ShardingType): TorchrecProblem {
  const { replicas } = problem;
  if (replicas === undefined || shardingType !== "data_parallel") return problem;
  return { ...problem, topology: replicas.cluster };
}

/** Bytes of a shard's weights that a rank gives away between look-ups, fully sharded: TorchRec does so with `fused` alone. */
export function scatteredBytes(
  { replicas, settings }: Pick<TorchrecProblem, "replicas" | "settings">,
  { elementBytes }: TorchrecTable,
  kernel: string,
  { sizes: [rows, columns] }: Shape,
): number {
  if (replicas?.isFullySharded !== true || settings.isInference || kernel !== "fused") return 0;
  const elements = rows * columns;
  return (elements - Math.ceil(elements / replicas.copies)) * elementBytes;
}

/** What a rank holds of a shard outside the look-ups. */
export function betweenLookups(
  problem: TorchrecProblem,
  table: TorchrecTable,
  kernel: ComputeKernel,
  shape: Shape,
  memory: DeviceMemory,
): DeviceMemory {
  const scattered = scatteredBytes(problem, table, kernel, shape);
  return scattered === 0 ? memory : { ...memory, hbmBytes: memory.hbmBytes - scattered };
}
