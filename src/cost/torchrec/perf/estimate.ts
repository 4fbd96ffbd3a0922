import type { TorchrecPerf } from "../shard-runs.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import type { PerfContext } from "./context.js";
import { EVALUATORS, type Evaluator, FORWARD, worldCollective } from "./evaluators.js";

/**
 * Time of a shard (planner/estimator/estimator.py, `EmbeddingShardingPerfEvaluator.compute_perf` with the default
 * `HardwarePerfConfig`). It depends on the shard's width and not on its rows, data_parallel's all-reduce apart: an empty
 * row-wise shard is charged like a full one. Inference has no backward pass.
 */
export function estimatePerf(
  context: PerfContext,
  shardingType: ShardingType,
  { sizes: [rows, dim] }: Pick<ShardShape, "sizes">,
): TorchrecPerf {
  const evaluator = EVALUATORS[shardingType];
  const forwardCompute = computeForward(evaluator, context, dim);
  return {
    forwardCompute,
    forwardComms: evaluator.forwardComms(context, rows, dim),
    backwardCompute: context.isInference ? 0 : computeBackward(context, forwardCompute),
    backwardComms: context.isInference ? 0 : evaluator.backwardComms(context, rows, dim),
    prefetchCompute: prefetch(evaluator, context, dim),
    inputDistribution: distributeInput(evaluator, context),
  };
}

/** Indices, rows and outputs at the kernel's bandwidth. */
function computeForward(evaluator: Evaluator, context: PerfContext, dim: number): number {
  const indices = evaluator.inputReadBytes(context) * (context.isWeighted ? 2 : 1);
  const bytes = indices + evaluator.lookupBytes(context, dim) + evaluator.outputBytes(context, dim, FORWARD);
  return (bytes * evaluator.blockPenalty(context, dim)) / context.bandwidth;
}

/** A multiple of the forward pass; the gradients of the weights of a weighted table come on top. */
function computeBackward({ topology, constants, isWeighted }: PerfContext, forwardCompute: number): number {
  const unweighted = forwardCompute * topology.backwardComputeMultiplier;
  if (!isWeighted) return unweighted;
  const weighted = unweighted * topology.weightedFeatureBackwardComputeMultiplier;
  return weighted + forwardCompute * constants.WEIGHTED_KERNEL_MULTIPLIER;
}

/** Missing rows over the link between host memory and HBM. */
function prefetch(evaluator: Evaluator, context: PerfContext, dim: number): number {
  const divisor = evaluator.divisor(context);
  if (divisor === 0) return 0;
  return ((context.cacheFetches / divisor) * dim * context.elementBytes) / context.topology.hbmToDdrBandwidth;
}

/** All indices of all ranks, without the weights. */
function distributeInput(evaluator: Evaluator, context: PerfContext): number {
  if (evaluator.divisor(context) === 0) return 0;
  const bytes = Math.ceil(context.inputs * context.topology.worldSize * context.constants.BIGINT_DTYPE);
  return worldCollective(context, "all_to_all", bytes);
}
