import { CACHED_KERNELS, type ComputeKernel } from "../kernels.js";
import type { TorchrecTable } from "../problem.js";
import { ceilOfQuotient, roundHalfEven } from "../python-numbers.js";
import { countsOptimizerState, type TorchrecRelease } from "../release.js";
import type { ShardShape } from "../shards.js";
import type { ComputeDevice } from "../topology.js";

/** Bytes of a whole table's weights in each memory. */
export interface TableBytes {
  readonly hbmBytes: number;
  readonly hostBytes: number;
}

/** Of a quantised table, beside the elements of a row: its scale and its bias. */
export const QUANTISED_ROW_BYTES = 4;

/**
 * Where a table's weights lie (torchrec/distributed/types.py, `compute_storage_usage`): UVM tables, and all tables on the
 * CPU, in host memory, the others in HBM. Quantised tables have a scale and a bias of 4 bytes together in each row.
 */
export function tableBytes(table: TorchrecTable, kernel: ComputeKernel, device: ComputeDevice): TableBytes {
  const isQuantised = table.sharder === "quant_embedding_bag_collection";
  const bytes = table.rows * table.dim * table.elementBytes + (isQuantised ? table.rows * QUANTISED_ROW_BYTES : 0);
  const uvm = isQuantised ? ["quant_uvm", "quant_uvm_caching"] : ["fused_uvm", "fused_uvm_caching"];
  const onHost = device === "cpu" || uvm.includes(kernel) || (isQuantised && device === "mtia");
  return onHost ? { hbmBytes: 0, hostBytes: bytes } : { hbmBytes: bytes, hostBytes: 0 };
}

/** The cache that a kernel keeps in HBM, as a share of the table; undefined for kernels without one. */
export function cacheShare(
  kernel: ComputeKernel,
  loadFactor: number | undefined,
  byDefault: number,
): number | undefined {
  // As in Python, a load factor of 0 is none.
  return CACHED_KERNELS.has(kernel) ? loadFactor || byDefault : undefined;
}

/** Bytes of a table in HBM: of a cached one its cache. */
export function residentBytes({ hbmBytes, hostBytes }: TableBytes, cache: number | undefined): number {
  return cache === undefined ? hbmBytes : roundHalfEven(hostBytes * cache);
}

export interface ShardBytesSettings {
  readonly release: TorchrecRelease;
  readonly isInference: boolean;
  /** The share that the cache holds, where its bookkeeping counts. */
  readonly cache?: number | undefined;
}

/**
 * Bytes that a shard takes of `bytes` for the whole table (planner/shard_estimators.py,
 * `_calculate_storage_specific_sizes`): its part of the elements, rounded up; the optimizer's state for it; and for a cache
 * of share c of the rows, 4 bytes for each of the shard's rows and 16·c more. Inference holds weights alone. What a table
 * keeps beside the elements of its rows, which TorchRec counts nowhere, is added for as large a part of them as `bytes` is.
 */
export function shardBytes(
  bytes: number,
  table: TorchrecTable,
  { sizes: [rows, columns] }: Pick<ShardShape, "sizes">,
  { release, isInference, cache }: ShardBytesSettings,
): number {
  const elements = ceilOfQuotient(bytes, rows * columns, table.rows, table.dim);
  const { extraBytesPerRow: extra = 0, elementBytes, dim } = table;
  const part = Math.min(1, bytes / (table.rows * dim * elementBytes));
  const weights = elements + (extra === 0 ? 0 : Math.ceil(rows * part * extra));
  if (isInference) return weights;
  const bookkeeping = cache === undefined ? 0 : Math.ceil(rows * (4 + cache * 16));
  const optimizer = countsOptimizerState(release) ? table.optimizer : undefined;
  return bookkeeping + weights + Math.ceil(elements * optimizerMultiplier(optimizer, table.dim));
}

/**
 * Optimizer state as a multiple of the weights (planner/shard_estimators.py, `_get_optimizer_multipler`), by the name of the
 * optimizer's class, with or without its module: none for no optimizer and SGD, two moments for Adam, one number a row for
 * RowWiseAdagrad, and as much as the weights for every other, PartialRowWiseAdam included.
 */
export function optimizerMultiplier(optimizer: string | undefined, dim: number): number {
  if (optimizer === undefined) return 0;
  switch (optimizer.slice(optimizer.lastIndexOf(".") + 1)) {
    case "SGD":
      return 0;
    case "Adam":
      return 2;
    case "RowWiseAdagrad":
      return 1 / dim;
    default:
      return 1;
  }
}
