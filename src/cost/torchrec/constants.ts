/**
 * The numbers of TorchRec's planner that are neither a topology's nor a table's: torchrec/distributed/planner/constants.py
 * of TorchRec 1.9.0a0, commit 376cac6ad13c3a6e7fd43cc0fe432abbc7c39f7d (BSD-3-Clause), under the names they have there.
 * Every one can be overridden: {@link TorchrecProblem.constants}.
 */
export const TORCHREC_CONSTANTS = Object.freeze({
  /** Bytes of an index, int64. */
  BIGINT_DTYPE: 8,
  /** Least width of a column-wise shard where a table has no `minPartition`, in elements. */
  MIN_CW_DIM: 128,
  /** Share of a table in HBM for `*_uvm_caching` without a load factor. */
  UVM_CACHING_RATIO: 0.2,
  /** The same for `key_value` and the virtual tables. */
  KV_CACHING_RATIO: 0.2,
  /** Time of the batched copy in a row-wise backward pass, as a multiple of reading the output once. */
  BATCHED_COPY_PERF_FACTOR: 2.455,
  /** Elements that fill a thread block of the lookup kernel; below it the forward pass slows down. */
  FULL_BLOCK_EMB_DIM: 128,
  /** The slowdown from half a block up to a full one. */
  HALF_BLOCK_PENALTY: 1.15,
  /** The slowdown below half a block. */
  QUARTER_BLOCK_PENALTY: 1.75,
  /** Time of the gradient of the per-sample weights, as a multiple of the forward pass. */
  WEIGHTED_KERNEL_MULTIPLIER: 1.1,
  /** Time of the optimizer's element-wise kernels under data_parallel, as a multiple of reading the table once. */
  DP_ELEMENTWISE_KERNELS_PERF_FACTOR: 9.22,
});

export type TorchrecConstants = Readonly<Record<keyof typeof TORCHREC_CONSTANTS, number>>;

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** What constants.py fills into a topology that leaves them out: bandwidths in bytes per millisecond, multipliers. */
export const TOPOLOGY_DEFAULTS = Object.freeze({
  /** INTRA_NODE_BANDWIDTH */
  intraHostBandwidth: (600 * GIB) / 1000,
  /** CROSS_NODE_BANDWIDTH */
  interHostBandwidth: (12.5 * GIB) / 1000,
  /** HBM_MEM_BW */
  hbmBandwidth: (897 * GIB) / 1000,
  /** DDR_MEM_BW */
  ddrBandwidth: (51 * GIB) / 1000,
  /** HBM_TO_DDR_MEM_BW */
  hbmToDdrBandwidth: (32 * GIB) / 1000,
  /** SSD_MEM_BW */
  ssdBandwidth: (100 * MIB) / 1000,
  /** BWD_COMPUTE_MULTIPLIER */
  backwardComputeMultiplier: 2,
  /** WEIGHTED_FEATURE_BWD_COMPUTE_MULTIPLIER */
  weightedFeatureBackwardComputeMultiplier: 1,
});

/** HBM_CAP, DDR_CAP and SSD_CAP: what one rank has, in bytes. */
export const DEVICE_DEFAULTS = Object.freeze({ hbmBytes: 32 * GIB, hostBytes: 128 * GIB, ssdBytes: 2048 * GIB });

/** BATCH_SIZE: samples per rank and iteration. */
export const DEFAULT_BATCH_SIZE = 512;
