import { given } from "../../input/given.js";
import { elementBytes, outputBytes } from "./data-types.js";
import type { CacheStatistics, TorchrecFeature, TorchrecTable } from "./problem.js";
import { runtimeParameters } from "./runtime-parameters.js";
import type { TorchrecProblemInput, TorchrecTableInput } from "./schema.js";

/** A checked table of a problem file; `batchSize` is for features without their own, `shared` what all tables share. */
export function tableOfInput(
  input: TorchrecTableInput,
  batchSize: number,
  shared: TorchrecProblemInput["fused_params"],
): TorchrecTable {
  const sharder = input.sharder ?? (input.is_pooled ? "embedding_bag_collection" : "embedding_collection");
  return {
    name: input.name,
    rows: input.num_embeddings,
    dim: input.embedding_dim,
    elementBytes: input.element_size ?? elementBytes(input.dtype, sharder === "quant_embedding_bag_collection"),
    sharder,
    features: featuresOf(input, batchSize),
    isPooled: input.is_pooled,
    runtime: runtimeParameters(input, shared),
    // TorchRec's planner does not see that such a collection weighs its features (planner/types.py, `_feature_processor`).
    isWeighted:
      sharder !== "feature_processed_embedding_bag_collection" && (input.is_weighted || input.has_feature_processor),
    ...given({
      outputBytes: input.output_dtype === undefined ? undefined : outputBytes(input.output_dtype),
      shardingTypes: input.sharding_types,
      computeKernels: input.compute_kernels,
      minPartition: input.min_partition,
      rowNodes: input.num_nodes === undefined ? undefined : [...new Set([input.num_nodes].flat())],
      buckets: input.total_num_buckets,
      cacheLoadFactor: input.cache_load_factor,
      cacheStatistics: statisticsOf(input),
      prefetchPipeline: input.prefetch_pipeline,
      prefetchPasses: input.multipass_prefetch_passes,
      optimizer: input.optimizer,
      maxL1CacheMebibytes: input.key_value_params?.max_l1_cache_size,
      useVirtualTable: input.use_virtual_table,
      extraBytesPerRow: input.extraBytesPerRow,
    }),
  };
}

function featuresOf({ pooling_factors, num_poolings, batch_sizes }: TorchrecTableInput, batchSize: number) {
  return pooling_factors.map(
    (length, feature): TorchrecFeature => ({
      length,
      // As in TorchRec, an empty list is none.
      poolings: num_poolings?.[feature] ?? 1,
      batchSize: batch_sizes?.[feature] ?? batchSize,
    }),
  );
}

function statisticsOf({ cache_stats, num_embeddings }: TorchrecTableInput): CacheStatistics | undefined {
  if (cache_stats === undefined) return undefined;
  const { expected_lookups: expectedLookups, miss_rate, mrc_hist_counts, height } = cache_stats;
  if (mrc_hist_counts !== undefined) {
    return { expectedLookups, missHistogram: mrc_hist_counts, height: height ?? num_embeddings };
  }
  return { expectedLookups, missRate: miss_rate as number };
}
