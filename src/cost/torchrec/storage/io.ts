import type { TorchrecConstants } from "../constants.js";
import type { EstimatorSettings, TorchrecTable } from "../problem.js";
import type { TableQuantities } from "../quantities.js";
import { addsPipelineOutputs, type TorchrecRelease } from "../release.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import { intraGroupSize, type TorchrecTopology } from "../topology.js";

/** Bytes of the indices that reach a shard in one iteration, and of the output that leaves it. */
export interface ShardIo {
  readonly inputBytes: number;
  readonly outputBytes: number;
}

/**
 * Bytes in and out of a shard (planner/shard_estimators.py, `_calculate_shard_io_sizes`), each rounded up: indices of 8
 * bytes, and rows of output as wide as the shard. Shards of divided rows get their part of the indices, and nothing when
 * they are empty.
 */
export function shardIo(
  table: TorchrecTable,
  { inputs, outputs }: TableQuantities,
  shardingType: ShardingType,
  { sizes: [rows, columns] }: Pick<ShardShape, "sizes">,
  topology: TorchrecTopology,
  { BIGINT_DTYPE }: TorchrecConstants,
  rowNodes = 1,
): ShardIo {
  const divisors: Partial<Record<ShardingType, number>> = {
    row_wise: topology.worldSize,
    table_row_wise: rowNodes * intraGroupSize(topology),
    grid_shard: rowNodes * intraGroupSize(topology),
  };
  const divisor = divisors[shardingType];
  if (divisor !== undefined && rows * columns === 0) return { inputBytes: 0, outputBytes: 0 };
  // Copies see their own rank's samples, shards those of all ranks.
  const ranks = shardingType === "data_parallel" ? 1 : topology.worldSize;
  const elementBytes = table.outputBytes ?? table.elementBytes;
  const share = inputs / (divisor ?? 1);
  return {
    inputBytes: Math.ceil(share * ranks * BIGINT_DTYPE),
    outputBytes: Math.ceil((table.isPooled ? outputs : share) * ranks * columns * elementBytes),
  };
}

export interface PipelineSettings
  extends Pick<EstimatorSettings, "isInference" | "pipelineType" | "runEmbeddingAtPeakMemory"> {
  readonly release: TorchrecRelease;
  /** The shard's cache is prefetched, in this many passes. */
  readonly isCached: boolean;
  readonly prefetchPasses: number;
}

/**
 * Bytes of inputs and outputs that a training pipeline holds at once (planner/shard_estimators.py,
 * `calculate_pipeline_io_cost`): two batches of inputs in flight, three and the prefetch's own with a prefetching pipeline;
 * one batch and its outputs without a pipeline; nothing for inference. See {@link addsPipelineOutputs}.
 */
export function pipelineIoBytes({ inputBytes, outputBytes }: ShardIo, settings: PipelineSettings): number {
  if (settings.isInference) return 0;
  const atPeak = settings.runEmbeddingAtPeakMemory ? outputBytes : 0;
  const withOutputs = addsPipelineOutputs(settings.release)
    ? (bytes: number) => bytes + atPeak
    : (bytes: number) => Math.max(bytes, outputBytes);
  switch (settings.pipelineType) {
    case "train_sparse_dist":
      return withOutputs(2 * inputBytes);
    case "train_prefetch_sparse_dist": {
      const burst = settings.isCached ? Math.trunc((1 + 6 / settings.prefetchPasses) * inputBytes) : 0;
      return withOutputs(3 * inputBytes + burst);
    }
    default:
      return inputBytes + outputBytes;
  }
}
