import type { PassBytes } from "../problem.js";
import { exchangesBackward } from "../release.js";
import type { TorchrecPerf } from "../shard-runs.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import { collectiveBandwidth, intraGroupSize, intraGroups, type TorchrecCollective } from "../topology.js";
import type { PerfContext } from "./context.js";

/** 0 in the forward pass, 1 in the backward pass: the index into {@link PassBytes}. */
export type Pass = 0 | 1;
export const FORWARD: Pass = 0;
export const BACKWARD: Pass = 1;

/**
 * What distinguishes the sharding types (planner/estimator/estimator.py, the subclasses of
 * `EmbeddingShardingPerfEvaluator`). `dim` is the shard's width in elements; sizes are in bytes, times in milliseconds. The
 * order of the operations is TorchRec's, so that the doubles are equal.
 */
export interface Evaluator {
  /** Indices read, before those of a weighted table are doubled; rounded up. */
  readonly inputReadBytes: (context: PerfContext) => number;
  readonly lookupBytes: (context: PerfContext, dim: number) => number;
  readonly outputBytes: (context: PerfContext, dim: number, pass: Pass) => number;
  /** Factor on the forward compute of narrow shards. */
  readonly blockPenalty: (context: PerfContext, dim: number) => number;
  readonly forwardComms: (context: PerfContext, rows: number, dim: number) => number;
  readonly backwardComms: (context: PerfContext, rows: number, dim: number) => number;
  /** Shards among which look-ups divide; 0: samples are looked up where they are, and no indices are sent or rows fetched. */
  readonly divisor: (context: PerfContext) => number;
}

/** Milliseconds of a collective over all ranks. */
export function worldCollective(context: PerfContext, collective: TorchrecCollective, bytes: number): number {
  const { worldSize, localWorldSize } = context.topology;
  return bytes / collectiveBandwidth(context.topology, collective, worldSize, localWorldSize);
}

/** Milliseconds in which a row-wise backward pass copies its gradients together. */
function batchedCopy({ constants, bandwidth }: PerfContext, bytes: number): number {
  return (bytes * constants.BATCHED_COPY_PERF_FACTOR) / bandwidth;
}

/**
 * data_parallel (estimator.py, `DataParallelEvaluator`): each rank looks up its own samples in its own copy; an all-reduce
 * adds the gradients of the whole table, and the optimizer goes over all of it.
 */
const dataParallel: Evaluator = {
  inputReadBytes: ({ inputs, constants }) => Math.ceil(inputs * constants.BIGINT_DTYPE),
  lookupBytes: ({ inputs, elementBytes }, dim) => inputs * dim * elementBytes,
  outputBytes: ({ outputs, elementBytes }, dim) => outputs * dim * elementBytes,
  blockPenalty: () => 1,
  forwardComms: () => 0,
  backwardComms: ({ topology, constants, elementBytes, bandwidth }, rows, dim) => {
    const { worldSize, localWorldSize } = topology;
    const tableBytes = rows * dim * elementBytes;
    // NCCL's ring; from the third host on its two passes cannot overlap.
    const hosts = Math.min(worldSize / localWorldSize, 2);
    const network = collectiveBandwidth(topology, "all_reduce", worldSize, localWorldSize);
    const once = (tableBytes * (2 * hosts - 1)) / hosts / network;
    const allReduce = worldSize > 2 * localWorldSize ? once * 2 : once;
    return allReduce + (tableBytes * constants.DP_ELEMENTWISE_KERNELS_PERF_FACTOR) / bandwidth;
  },
  divisor: () => 0,
};

/**
 * Sizes where the look-ups of a table divide among `divisor` shards, each for all ranks. The division comes first and the
 * multiplication by the ranks after it, even where the two cancel: so does TorchRec.
 */
function dividedSizes(
  divisor: (context: PerfContext) => number,
  wireBytes: (context: PerfContext) => PassBytes,
): Pick<Evaluator, "inputReadBytes" | "lookupBytes" | "outputBytes" | "blockPenalty" | "divisor"> {
  return {
    inputReadBytes: (context) =>
      Math.ceil((context.inputs / divisor(context)) * context.topology.worldSize * context.constants.BIGINT_DTYPE),
    lookupBytes: (context, dim) =>
      (context.inputs / divisor(context)) * context.topology.worldSize * dim * context.elementBytes,
    outputBytes: (context, dim, pass) => {
      const { outputs, isPooled, topology } = context;
      const effective = isPooled ? outputs : outputs / divisor(context);
      return effective * topology.worldSize * dim * wireBytes(context)[pass];
    },
    blockPenalty: () => 1,
    divisor,
  };
}

/** The lookup kernel reads at least this many elements of a row. */
const MIN_LOOKUP_DIM = 32;

const wholeSizes = dividedSizes(
  () => 1,
  ({ allToAllBytes }) => allToAllBytes,
);

/**
 * table_wise, column_wise and table_column_wise (estimator.py, `TableWiseEvaluator`): each shard serves all ranks' samples,
 * and an all-to-all takes its output back to them.
 */
const tableWise: Evaluator = {
  ...wholeSizes,
  lookupBytes: (context, dim) => wholeSizes.lookupBytes(context, Math.max(dim, MIN_LOOKUP_DIM)),
  blockPenalty: ({ constants }, dim) => {
    if (dim >= constants.FULL_BLOCK_EMB_DIM) return 1;
    return dim >= 64 ? constants.HALF_BLOCK_PENALTY : constants.QUARTER_BLOCK_PENALTY;
  },
  forwardComms: (context, _rows, dim) =>
    worldCollective(context, "all_to_all", wholeSizes.outputBytes(context, dim, FORWARD)),
  backwardComms: (context, _rows, dim) =>
    worldCollective(context, "all_to_all", wholeSizes.outputBytes(context, dim, BACKWARD)),
};

const rowSizes = dividedSizes(
  ({ topology }) => topology.worldSize,
  ({ isPooled, reduceScatterBytes, allToAllBytes }) => (isPooled ? reduceScatterBytes : allToAllBytes),
);

/**
 * row_wise (estimator.py, `RowWiseEvaluator`): every rank looks up its rows for all samples; a reduce-scatter adds the
 * partial pools, an all-gather and a copy undo it in the backward pass.
 */
const rowWise: Evaluator = {
  ...rowSizes,
  forwardComms: (context, _rows, dim) =>
    worldCollective(context, "reduce_scatter", rowSizes.outputBytes(context, dim, FORWARD)),
  backwardComms: (context, _rows, dim) => {
    const bytes = rowSizes.outputBytes(context, dim, BACKWARD);
    return worldCollective(context, "all_gather", bytes) + batchedCopy(context, bytes);
  },
};

const groupSizes = dividedSizes(
  ({ topology, rowNodes }) => rowNodes * intraGroupSize(topology),
  ({ reduceScatterBytes }) => reduceScatterBytes,
);

/**
 * table_row_wise and grid_shard (estimator.py, `TableRowWiseEvaluator`): row_wise inside one group of ranks, and an
 * all-to-all between the groups. Over several nodes (torchrec#4681, whose description says that the communication keeps its
 * two stages; its estimator could not be read) rows and lookups divide among all their ranks, and nothing else differs.
 */
const tableRowWise: Evaluator = {
  ...groupSizes,
  forwardComms: (context, _rows, dim) =>
    insideGroup(context, "reduce_scatter", groupSizes.outputBytes(context, dim, FORWARD)) +
    betweenGroups(context, dim, FORWARD),
  backwardComms: (context, _rows, dim) => {
    const bytes = groupSizes.outputBytes(context, dim, BACKWARD);
    return (
      betweenGroups(context, dim, BACKWARD) + insideGroup(context, "all_gather", bytes) + batchedCopy(context, bytes)
    );
  },
};

function insideGroup({ topology }: PerfContext, collective: TorchrecCollective, bytes: number): number {
  const group = intraGroupSize(topology);
  // A group of several hosts is charged the network between them.
  return bytes / collectiveBandwidth(topology, collective, group, Math.min(group, topology.localWorldSize));
}

function betweenGroups({ release, topology, outputs, allToAllBytes }: PerfContext, dim: number, pass: Pass): number {
  const groups = intraGroups(topology);
  if (groups === 1) return 0;
  if (!exchangesBackward(release)) {
    const { worldSize, localWorldSize, interHostBandwidth } = topology;
    const bytes = outputs * worldSize * dim * allToAllBytes[pass] * (localWorldSize / worldSize);
    return pass === BACKWARD ? 0 : bytes / interHostBandwidth;
  }
  return (outputs * groups * dim * allToAllBytes[pass]) / collectiveBandwidth(topology, "all_to_all", groups, 1);
}

/** What distinguishes a sharding type. */
export const EVALUATORS: Readonly<Record<ShardingType, Evaluator>> = {
  data_parallel: dataParallel,
  table_wise: tableWise,
  column_wise: tableWise,
  table_column_wise: tableWise,
  row_wise: rowWise,
  table_row_wise: tableRowWise,
  grid_shard: tableRowWise,
};

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
