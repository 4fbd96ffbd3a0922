import type { TorchrecConstants } from "./constants.js";
import type { ComputeKernel } from "./kernels.js";
import type { TorchrecRelease } from "./release.js";
import type { RuntimeParameters } from "./runtime-parameters.js";
import type { TorchrecProblemInput } from "./schema.js";
import type { Sharder, ShardingType } from "./sharding-types.js";
import type { TorchrecTopology } from "./topology.js";

/** What one rank has left for embedding tables, in bytes. TorchRec counts host memory (DDR) by the rank, not by the host. */
export interface DeviceMemory {
  readonly hbmBytes: number;
  readonly hostBytes: number;
  readonly ssdBytes: number;
}

/** One input feature of a table: `poolings` lookups per sample of `length` indices each, on `batchSize` samples. */
export interface TorchrecFeature {
  /** Mean indices per pooling: the pooling factor. */
  readonly length: number;
  readonly poolings: number;
  readonly batchSize: number;
}

/**
 * How well a cache serves a table (torchrec/distributed/types.py, `CacheStatistics`): unique indices looked up per global
 * batch, and the share of them that misses, for the load factor at hand or as a curve. `missHistogram` is
 * `EmbeddingOffloadStats`'s: bin i of n holds the operations that hit once the cache holds i + 1 of n parts of `height` rows.
 */
export type CacheStatistics = { readonly expectedLookups: number } & (
  | { readonly missRate: number }
  | { readonly missHistogram: readonly number[]; readonly height: number }
);

/** Bytes per element that a collective sends, forward and backward. */
export type PassBytes = readonly [forward: number, backward: number];

/** Quantised communication, by TorchRec's names of the operations; the table's own type where one is missing. */
export interface CommunicationBytes {
  readonly POOLED_EMBEDDINGS_ALL_TO_ALL?: PassBytes;
  readonly POOLED_EMBEDDINGS_REDUCE_SCATTER?: PassBytes;
  readonly SEQUENCE_EMBEDDINGS_ALL_TO_ALL?: PassBytes;
}

/** A table with the constraints on its sharding (planner/types.py, `ParameterConstraints`). */
export interface TorchrecTable {
  readonly name: string;
  readonly rows: number;
  readonly dim: number;
  /** Bytes per element of the weights. */
  readonly elementBytes: number;
  /** Bytes per element of the output in memory; the weights' where missing. */
  readonly outputBytes?: number;
  readonly sharder: Sharder;
  readonly features: readonly TorchrecFeature[];
  /** Output is pooled: one row per sample and pooling; otherwise one per index. */
  readonly isPooled: boolean;
  /** Indices carry weights, or a feature processor gives them some, and TorchRec's planner counts that. */
  readonly isWeighted: boolean;
  /** Those of the sharder, guarded ones left out, where missing. */
  readonly shardingTypes?: readonly ShardingType[];
  readonly computeKernels?: readonly ComputeKernel[];
  /** Least width of a column-wise shard. */
  readonly minPartition?: number;
  /** Numbers of nodes over which table_row_wise may cut the rows; one where missing. */
  readonly rowNodes?: readonly number[];
  /** Rows are cut between buckets of equal size. */
  readonly buckets?: number;
  /** Share of the table that the cache in HBM holds. */
  readonly cacheLoadFactor?: number;
  readonly cacheStatistics?: CacheStatistics;
  /** A training pipeline loads the cache ahead of the forward pass. */
  readonly prefetchPipeline?: boolean;
  /** Passes of the multi-pass prefetch. */
  readonly prefetchPasses?: number;
  /**
   * Class of the optimizer that runs in the backward pass (`apply_optimizer_in_backward`). TorchRec does not count the
   * state of one that is named in `fused_params` alone.
   */
  readonly optimizer?: string;
  /** Cap on the cache of the key-value kernels, in MiB. */
  readonly maxL1CacheMebibytes?: number;
  readonly useVirtualTable?: boolean;
  /** Bytes beside the elements of each row, which TorchRec's planner does not count: hash keys, scores, room to grow. */
  readonly extraBytesPerRow?: number;
  /** What a plan hands on to TorchRec's runtime. */
  readonly runtime: RuntimeParameters;
}

export type PipelineType = TorchrecProblemInput["pipeline_type"];

/** What the estimators are told about the job, and what all tables of a sharder share (`fused_params`). */
export interface EstimatorSettings {
  readonly isInference: boolean;
  readonly pipelineType: PipelineType;
  /** The embeddings run while memory use is at its peak, so that their outputs count. */
  readonly runEmbeddingAtPeakMemory: boolean;
  /** What virtual tables hold counts, which TorchRec's planner takes for nothing. */
  readonly countsVirtual: boolean;
  readonly cacheLoadFactor?: number;
  readonly prefetchPipeline?: boolean;
  readonly prefetchPasses?: number;
  readonly communicationBytes: CommunicationBytes;
}

/**
 * Copies of the tables, one in each group of ranks that TorchRec's `DMPCollection` shards over. Its planner plans for one group
 * and knows nothing of the others: what copies cost beside that is this program's own, see `replicas.ts`.
 */
export interface TorchrecReplicas {
  readonly copies: number;
  /** Milliseconds in each iteration for every byte that a rank holds and synchronises. */
  readonly millisecondsPerByte: number;
  /** Beside the weights. */
  readonly syncsOptimizerState: boolean;
  /** Outside the look-ups a rank holds of each shard only a part for every copy. */
  readonly isFullySharded: boolean;
  /** All ranks, over which the gradients of data-parallel tables are added up. */
  readonly cluster: TorchrecTopology;
}

/** What TorchRec's planner is asked: `devices` as the storage reservation leaves them. */
export interface TorchrecProblem {
  /** Whose costs: releases differ. */
  readonly release: TorchrecRelease;
  readonly topology: TorchrecTopology;
  readonly devices: readonly DeviceMemory[];
  /** What the storage reservation took them from, where the problem has one. */
  readonly reserved?: { readonly policy: string; readonly from: readonly DeviceMemory[] };
  readonly tables: readonly TorchrecTable[];
  readonly settings: EstimatorSettings;
  /** Row-wise shards that TorchRec's training cannot carry out are options all the same. */
  readonly unevenRowWise: boolean;
  /** Options that TorchRec prices and cannot run are none. */
  readonly isRunnable: boolean;
  /** The ranks are one group of several, each with a copy of the tables; absent: they are all there are. */
  readonly replicas?: TorchrecReplicas;
  readonly constants: TorchrecConstants;
}
