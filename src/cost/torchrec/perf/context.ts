import type { TorchrecConstants } from "../constants.js";
import { type ComputeKernel, kernelBandwidth } from "../kernels.js";
import { expectedMissRate } from "../miss-rate.js";
import type { PassBytes, TorchrecProblem, TorchrecTable } from "../problem.js";
import { type TableQuantities, tableQuantities } from "../quantities.js";
import { hasHostLink, type TorchrecRelease } from "../release.js";
import type { TorchrecTopology } from "../topology.js";

/** What the time of a table's shards depends on, shards apart (planner/estimator/types.py, `ShardPerfContext`). */
export interface PerfContext extends TableQuantities {
  readonly release: TorchrecRelease;
  readonly topology: TorchrecTopology;
  readonly constants: TorchrecConstants;
  /** Bytes per millisecond of the kernel. */
  readonly bandwidth: number;
  /** Bytes per element of the weights. */
  readonly elementBytes: number;
  /** Bytes per element of the all-to-alls. */
  readonly allToAllBytes: PassBytes;
  /** Bytes per element of the reduce-scatter and of the all-gather that undoes it. */
  readonly reduceScatterBytes: PassBytes;
  readonly isPooled: boolean;
  readonly isWeighted: boolean;
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
