import type { ComputeKernel } from "../kernels.js";
import type { TorchrecPerf } from "../perf/perf.js";
import type { DeviceMemory, TorchrecProblem, TorchrecTable } from "../problem.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import { optimizerState } from "../storage/kept.js";

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
