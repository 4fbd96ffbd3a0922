import type { TorchrecConstants } from "../constants.js";
import type { PipelineType, TorchrecTable } from "../problem.js";
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
 * bytes, and rows of output as wide as the table (data_parallel, table_wise) or the shard. Shards of divided rows get their
 * part of the indices, and nothing when they are empty.
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
  const elementBytes = table.outputBytes ?? table.elementBytes;
  const { worldSize } = topology;
  switch (shardingType) {
    case "data_parallel":
      return {
        inputBytes: Math.ceil(inputs * BIGINT_DTYPE),
        outputBytes: Math.ceil(outputs * table.dim * elementBytes),
      };
    case "table_wise":
    case "column_wise":
    case "table_column_wise":
      return {
        inputBytes: Math.ceil(inputs * worldSize * BIGINT_DTYPE),
        outputBytes: Math.ceil(outputs * worldSize * columns * elementBytes),
      };
    case "row_wise":
    case "table_row_wise":
    case "grid_shard": {
      if (rows * columns === 0) return { inputBytes: 0, outputBytes: 0 };
      const share = inputs / (shardingType === "row_wise" ? worldSize : rowNodes * intraGroupSize(topology));
      return {
        inputBytes: Math.ceil(share * worldSize * BIGINT_DTYPE),
        outputBytes: Math.ceil((table.isPooled ? outputs : share) * worldSize * columns * elementBytes),
      };
    }
  }
}

export interface PipelineSettings {
  readonly release: TorchrecRelease;
  readonly isInference: boolean;
  readonly pipelineType: PipelineType;
  /** Outputs count, because memory use peaks while the embeddings run. */
  readonly runEmbeddingAtPeakMemory: boolean;
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
