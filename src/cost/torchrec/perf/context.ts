import { type ComputeKernel, kernelBandwidth } from "../kernels.js";
import type { CacheStatistics, PassBytes, TorchrecProblem, TorchrecTable } from "../problem.js";
import { sum } from "../python-numbers.js";
import { type TableQuantities, tableQuantities } from "../quantities.js";
import { hasHostLink } from "../release.js";

/** What the time of a table's shards depends on, shards apart (planner/estimator/types.py, `ShardPerfContext`). */
export interface PerfContext
  extends TableQuantities,
    Pick<TorchrecProblem, "release" | "topology" | "constants">,
    Pick<TorchrecTable, "elementBytes" | "isPooled" | "isWeighted"> {
  /** Bytes per millisecond of the kernel. */
  readonly bandwidth: number;
  /** Bytes per element of the all-to-alls. */
  readonly allToAllBytes: PassBytes;
  /** Bytes per element of the reduce-scatter and of the all-gather that undoes it. */
  readonly reduceScatterBytes: PassBytes;
  readonly isInference: boolean;
  /** Nodes over which table_row_wise cuts the rows. */
  readonly rowNodes: number;
  /** Rows that a global batch fetches into the cache. */
  readonly cacheFetches: number;
}

/** The context of a table under a kernel. Throws as {@link kernelBandwidth}. */
export function perfContext(
  problem: TorchrecProblem,
  table: TorchrecTable,
  kernel: ComputeKernel,
  rowNodes = 1,
): PerfContext {
  const { release, topology, constants, settings } = problem;
  const cachingRatio = table.cacheLoadFactor ?? settings.cacheLoadFactor;
  // Before 1.1, as in Python, a load factor of 0 is none.
  const mixed = hasHostLink(release) ? cachingRatio : cachingRatio || undefined;
  const prefetchPipeline = (table.prefetchPipeline || settings.prefetchPipeline) ?? false;
  return {
    ...tableQuantities(table, release),
    release,
    topology,
    constants,
    bandwidth: kernelBandwidth(kernel, topology, constants, { cachingRatio: mixed, prefetchPipeline }),
    elementBytes: table.elementBytes,
    ...communicationBytes(problem, table),
    isPooled: table.isPooled,
    isWeighted: table.isWeighted,
    isInference: settings.isInference,
    rowNodes,
    cacheFetches: cacheFetches(table, kernel, cachingRatio),
  };
}

/** Bytes per element on the wire (planner/utils.py, `extract_comm_data_type_size`). */
function communicationBytes(
  { settings }: TorchrecProblem,
  { isPooled, elementBytes }: TorchrecTable,
): { allToAllBytes: PassBytes; reduceScatterBytes: PassBytes } {
  const asStored: PassBytes = [elementBytes, elementBytes];
  const quantised = settings.communicationBytes;
  if (!isPooled) {
    return { allToAllBytes: quantised.SEQUENCE_EMBEDDINGS_ALL_TO_ALL ?? asStored, reduceScatterBytes: asStored };
  }
  return {
    allToAllBytes: quantised.POOLED_EMBEDDINGS_ALL_TO_ALL ?? asStored,
    reduceScatterBytes: quantised.POOLED_EMBEDDINGS_REDUCE_SCATTER ?? asStored,
  };
}

function cacheFetches(table: TorchrecTable, kernel: ComputeKernel, cachingRatio: number | undefined): number {
  const { cacheStatistics } = table;
  if (kernel !== "fused_uvm_caching" || cachingRatio === undefined || cacheStatistics === undefined) return 0;
  return expectedMissRate(cacheStatistics, cachingRatio) * cacheStatistics.expectedLookups;
}

/** Share of lookups that miss a cache with a load factor in [0, 1]. */
export function expectedMissRate(statistics: CacheStatistics, loadFactor: number): number {
  if ("missRate" in statistics) return statistics.missRate;
  const { missHistogram, height } = statistics;
  return missRateOfHistogram(missHistogram, linearEdges(height, missHistogram.length), loadFactor * height);
}

/**
 * Reads a miss-rate curve at a cache of `size` rows (planner/shard_estimators.py,
 * `EmbeddingOffloadStats.estimate_cache_miss_rate`): 1 − (cumulated histogram) / (its sum), at the bin that holds
 * `size` − 1, because a cache of k rows hits at distances up to k − 1. 1 below the first edge, 0 from the last one on, and
 * 0 for a table that was never read. `edges` has one entry more than the histogram.
 *
 * TorchRec computes this in the histogram's own type; in doubles here, as for a histogram of doubles.
 */
export function missRateOfHistogram(histogram: readonly number[], edges: readonly number[], size: number): number {
  const total = sum(histogram);
  if (total === 0) return 0;
  const edgesBelow = edges.filter((edge) => edge <= size - 1).length;
  if (edgesBelow === 0) return 1;
  return 1 - sum(histogram.slice(0, edgesBelow)) / total;
}

/** `torch.linspace(0, height, bins + 1)`, which steps from both ends to the middle. */
function linearEdges(height: number, bins: number): number[] {
  const step = height / bins;
  return Array.from({ length: bins + 1 }, (_, edge) =>
    edge < (bins + 1) / 2 ? step * edge : height - step * (bins - edge),
  );
}
