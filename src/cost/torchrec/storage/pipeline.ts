import type { PipelineType } from "../problem.js";
import { addsPipelineOutputs, type TorchrecRelease } from "../release.js";
import type { ShardIo } from "./io.js";

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
