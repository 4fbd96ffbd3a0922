import { z } from "zod";
import { notNegative, positive, positiveInteger, text } from "../../instance/schema/fields.js";
import { notNegativeBytes as bytes, withUnit } from "../../instance/schema/quantities.js";
import {
  torchrecCountVirtual,
  torchrecReservation,
  torchrecRunnable,
  torchrecVersion,
} from "../../instance/schema/torchrec.js";
import { TORCHREC_CONSTANTS, type TorchrecConstants } from "./constants.js";
import { DATA_TYPE_BITS, type TorchrecDataType } from "./data-types.js";
import { COMPUTE_KERNELS } from "./kernels.js";
import { SHARDERS, SHARDING_TYPES } from "./sharding-types.js";
import { COMPUTE_DEVICES } from "./topology.js";

/** FBGEMM's names (`BoundsCheckMode`). */
const BOUNDS_CHECK_MODES = ["FATAL", "WARNING", "IGNORE", "NONE", "V2_IGNORE", "V2_WARNING", "V2_FATAL"] as const;

const PIPELINE_TYPES = ["none", "train_base", "train_sparse_dist", "train_prefetch_sparse_dist"] as const;

/** A TorchRec problem file, in TorchRec's own names; keys that may be missing may also be null. */

const dataType = z.enum(Object.keys(DATA_TYPE_BITS) as [TorchrecDataType, ...TorchrecDataType[]]);
const bandwidth = withUnit("bytes per second", positive("bytes per millisecond"), 1000).optional();
const passBytes = z.tuple([positive("bytes per element, forward"), positive("bytes per element, backward")]).optional();
const share = z.number().min(0).max(1);

const topology = z
  .strictObject({
    world_size: positiveInteger("ranks"),
    local_world_size: positiveInteger("ranks of one host; all of them where missing").optional(),
    pod_size: positiveInteger("hosts of one NVLink domain").default(1),
    compute_device: z.enum(COMPUTE_DEVICES).default("cuda").describe("kind of device"),
    intra_host_bw: bandwidth,
    inter_host_bw: bandwidth,
    hbm_mem_bw: bandwidth,
    ddr_mem_bw: bandwidth,
    hbm_to_ddr_mem_bw: bandwidth,
    ssd_mem_bw: bandwidth,
    bwd_compute_multiplier: notNegative("backward compute as a multiple of forward compute").optional(),
    weighted_feature_bwd_compute_multiplier: notNegative("further factor for weighted tables").optional(),
    hbm_cap: z.array(bytes("bytes")).optional().describe("HBM of every rank, where a custom topology gives it"),
    ddr_cap: z.array(bytes("bytes")).optional().describe("DDR of every rank, where a custom topology gives it"),
  })
  .describe("the ranks and the network between them");

const device = z.strictObject({
  hbm: bytes("bytes of HBM left for tables"),
  ddr: bytes("bytes of host memory of this rank").optional(),
  ssd: bytes("bytes of SSD of this rank").optional(),
});

const fusedParameters = {
  cache_load_factor: share.optional().describe("share of a table in the cache, from 0 to 1"),
  prefetch_pipeline: z.boolean().optional().describe("the pipeline prefetches into the cache"),
  multipass_prefetch_passes: positiveInteger("passes of the multi-pass prefetch").optional(),
};

const cacheStatistics = z
  .strictObject({
    expected_lookups: notNegative("unique indices per global batch"),
    miss_rate: share.optional().describe("share of lookups that miss, from 0 to 1"),
    mrc_hist_counts: z.array(notNegative("hits")).min(1).optional().describe("histogram of the miss-ratio curve"),
    height: positiveInteger("rows that the histogram spans").optional(),
  })
  .describe("expected_lookups with miss_rate or mrc_hist_counts");

const table = z.strictObject({
  name: text("the table's name, once only"),
  num_embeddings: positiveInteger("rows of the table"),
  embedding_dim: positiveInteger("elements per row"),
  dtype: dataType.default("FP32").describe("type of the weights"),
  element_size: positive("bytes per element of the weights, where they are not those of dtype").optional(),
  output_dtype: dataType.optional().describe("type of the output"),
  pooling_factors: z.array(notNegative("indices per pooling")).min(1).default([1]).describe("one number per feature"),
  num_poolings: z.array(notNegative("poolings per sample")).optional().describe("one number per feature"),
  batch_sizes: z.array(positive("samples per rank")).optional().describe("one number per feature"),
  num_features: positiveInteger("features that read the table; the planner itself counts pooling_factors").optional(),
  is_pooled: z.boolean().default(true).describe("output is pooled; false for sequences"),
  is_weighted: z.boolean().default(false).describe("indices carry weights"),
  has_feature_processor: z.boolean().default(false).describe("a feature processor weighs the indices"),
  sharder: z.enum(SHARDERS).optional().describe("the kind of module; by is_pooled where missing"),
  sharding_types: z.array(z.enum(SHARDING_TYPES)).optional().describe("sharding types to choose from"),
  compute_kernels: z.array(z.enum(COMPUTE_KERNELS)).optional().describe("kernels to choose from"),
  min_partition: positiveInteger("least width of a column-wise shard").optional(),
  num_nodes: z
    .union([positiveInteger("nodes"), z.array(positiveInteger("nodes")).min(1)])
    .optional()
    .describe("nodes over which table_row_wise cuts the rows: a whole number, or several to choose from"),
  total_num_buckets: positiveInteger("buckets between which rows are cut").optional(),
  ...fusedParameters,
  cache_stats: cacheStatistics.optional(),
  cache_algorithm: z.enum(["LRU", "LFU"]).optional().describe("what the cache lets go first"),
  cache_reserved_memory: withUnit("bytes", notNegative("GiB of HBM that the cache leaves free"), 2 ** 30).optional(),
  cache_precision: dataType.optional().describe("type of the rows in the cache"),
  enforce_hbm: z.boolean().optional().describe("rows in HBM only"),
  stochastic_rounding: z.boolean().optional().describe("rounding of FP16 weights by chance"),
  bounds_check_mode: z.enum(BOUNDS_CHECK_MODES).optional().describe("what is done with ids that are no rows"),
  optimizer: text("class of the optimizer in the backward pass").optional(),
  key_value_params: z
    .strictObject({
      max_l1_cache_size: withUnit("bytes", notNegative("MiB of the cache in HBM"), 2 ** 20).optional(),
      l2_cache_size: withUnit("bytes", notNegative("GiB of the cache in host memory"), 2 ** 30).optional(),
      ssd_storage_directory: text("folder on the SSD").optional(),
      ssd_rocksdb_write_buffer_size: withUnit("bytes", positiveInteger("bytes")).optional(),
      ssd_rocksdb_shards: positiveInteger("shards of the store").optional(),
      bulk_init_chunk_size: positiveInteger("rows").optional(),
      enable_async_update: z.boolean().optional(),
      lazy_bulk_init_enabled: z.boolean().optional(),
      use_passed_in_path: z.boolean().optional(),
      gather_ssd_cache_stats: z.boolean().optional(),
    })
    .optional()
    .describe("parameters of the key-value kernels"),
  extraBytesPerRow: bytes("bytes beside the elements of each row").optional(),
  use_virtual_table: z.boolean().optional().describe("rows exist once they are trained"),
});

/** Keys of recorded problems that describe results, and are not read. */
const recorded = Object.fromEntries(
  ["id", "note", "space", "optimum", "torchrec_default", "torchrec_dp"].map((key) => [key, z.unknown().optional()]),
);

const constantFields = Object.fromEntries(
  Object.keys(TORCHREC_CONSTANTS).map((name) => [name, notNegative("a constant of TorchRec's planner").optional()]),
) as Record<keyof TorchrecConstants, z.ZodOptional<z.ZodNumber>>;

export const torchrecProblemSchema = z.strictObject({
  version: torchrecVersion.optional(),
  topology,
  batch_size: positive("samples per rank and iteration").optional(),
  devices: z
    .array(device)
    .optional()
    .describe("memory of every rank: what is left for tables, or all of it beside a reservation"),
  reservation: torchrecReservation.optional(),
  tables: z.array(table).min(1).describe("the embedding tables"),
  is_inference: z.boolean().default(false).describe("no backward pass"),
  pipeline_type: z.enum(PIPELINE_TYPES).default("none").describe("the training pipeline"),
  run_embedding_at_peak_memory: z.boolean().default(false).describe("outputs count as memory"),
  uneven_row_wise: z.boolean().default(false).describe("row-wise shards that devices of different memory make uneven"),
  countVirtual: torchrecCountVirtual,
  runnable: torchrecRunnable,
  constraints: z
    .strictObject({
      default: table
        .pick({
          ...{ sharding_types: true, compute_kernels: true, min_partition: true, num_nodes: true, output_dtype: true },
          ...{ cache_load_factor: true, enforce_hbm: true, stochastic_rounding: true, bounds_check_mode: true },
          ...{ key_value_params: true },
        })
        .optional()
        .describe("of every table that does not say otherwise itself"),
    })
    .optional()
    .describe("constraints of all tables at once: default"),
  multi_node_table_row_wise: z
    .boolean()
    .default(false)
    .describe("tables may have num_nodes, proposed in torchrec#4681"),
  fused_params: z.strictObject(fusedParameters).optional().describe("parameters of all tables"),
  qcomm_dtype_sizes: z
    .strictObject({
      POOLED_EMBEDDINGS_ALL_TO_ALL: passBytes,
      POOLED_EMBEDDINGS_REDUCE_SCATTER: passBytes,
      SEQUENCE_EMBEDDINGS_ALL_TO_ALL: passBytes,
    })
    .optional()
    .describe("bytes per element of quantised collectives, [forward, backward]"),
  constants: z.strictObject(constantFields).optional().describe("constants of the planner to override"),
  ...recorded,
});

export type TorchrecProblemInput = z.output<typeof torchrecProblemSchema>;
export type TorchrecTableInput = TorchrecProblemInput["tables"][number];
