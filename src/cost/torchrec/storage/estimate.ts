import { CACHED_KERNELS, type ComputeKernel, KEY_VALUE_KERNELS, VIRTUAL_KERNELS } from "../kernels.js";
import type { DeviceMemory, TorchrecProblem, TorchrecTable } from "../problem.js";
import { ceilOfQuotient, roundHalfEven } from "../python-numbers.js";
import { tableQuantities } from "../quantities.js";
import { countsOptimizerState, type TorchrecRelease } from "../release.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import type { ComputeDevice } from "../topology.js";
import { pipelineIoBytes, shardIo } from "./io.js";
import { memoryOfKernel, type TableMemory } from "./kept.js";

const MIB = 1024 * 1024;

/**
 * Bytes that a shard takes of its rank's memories (planner/shard_estimators.py, `calculate_shard_storages`): weights,
 * optimizer state and bookkeeping of the cache in HBM, with the inputs and outputs of the pipeline; what lies in host memory;
 * and for `key_value` what lies on the SSD; of virtual tables only where `countsVirtual` says so. On the CPU inputs and outputs are in host memory.
 */
export function estimateStorage(
  problem: TorchrecProblem,
  table: TorchrecTable,
  shardingType: ShardingType,
  kernel: ComputeKernel,
  shape: Pick<ShardShape, "sizes">,
  rowNodes = 1,
): DeviceMemory {
  const { release, topology, constants, settings } = problem;
  const { isInference } = settings;
  const { computeDevice } = topology;
  const whole = tableBytes(table, kernel, computeDevice);
  const cache = cacheShare(kernel, table.cacheLoadFactor ?? settings.cacheLoadFactor, constants.UVM_CACHING_RATIO);
  const bytesOf = (bytes: number, share?: number) =>
    shardBytes(bytes, table, shape, { release, isInference, cache: share });

  const isKeyValue = KEY_VALUE_KERNELS.has(kernel) || table.useVirtualTable === true;
  const inHbm = isKeyValue ? keyValueCacheBytes(problem, table) : bytesOf(residentBytes(whole, cache), cache);
  const inStore = settings.countsVirtual && VIRTUAL_KERNELS.has(kernel) ? bytesOf(storedBytes(table)) : 0;
  const lies = memoryOfKernel(kernel, computeDevice);
  const onHost = isKeyValue ? (lies === "host" ? inStore : 0) : bytesOf(whole.hostBytes);

  const io = shardIo(table, tableQuantities(table, release), shardingType, shape, topology, constants, rowNodes);
  const pipeline = pipelineIoBytes(io, {
    ...settings,
    release,
    isCached: cache !== undefined,
    prefetchPasses: table.prefetchPasses ?? settings.prefetchPasses ?? 1,
  });
  const hasHbm = computeDevice === "cuda" || computeDevice === "mtia";
  const ioOnHost = computeDevice === "cpu" && !isInference ? io.inputBytes + io.outputBytes : 0;
  return {
    hbmBytes: hasHbm ? inHbm + pipeline : 0,
    hostBytes: ioOnHost + onHost,
    ssdBytes:
      kernel === "key_value" ? bytesOf(whole.hbmBytes, cache) + bytesOf(whole.hostBytes) : lies === "ssd" ? inStore : 0,
  };
}

/** Bytes of all rows of a virtual table, trained or not. */
function storedBytes({ rows, dim, elementBytes }: TorchrecTable): number {
  return rows * dim * elementBytes;
}

/** What a virtual table may come to hold that no number of the planner's has; `null` where all is counted. */
export function uncountedBytes(
  { release, settings, topology }: TorchrecProblem,
  table: TorchrecTable,
  kernel: ComputeKernel,
): { readonly bytes: number; readonly memory: TableMemory } | null {
  if (!VIRTUAL_KERNELS.has(kernel) || settings.countsVirtual) return null;
  const whole = { sizes: [table.rows, table.dim] } as const;
  const bytes = shardBytes(storedBytes(table), table, whole, { release, isInference: settings.isInference });
  return { bytes, memory: memoryOfKernel(kernel, topology.computeDevice) };
}

/** HBM of every shard of a key-value table: the cap on its cache, or the whole table's cache where that is smaller. */
function keyValueCacheBytes({ constants, settings }: TorchrecProblem, table: TorchrecTable): number {
  const share = settings.cacheLoadFactor ?? constants.KV_CACHING_RATIO;
  return Math.min(
    (table.maxL1CacheMebibytes ?? 0) * MIB,
    Math.ceil(table.rows * share * table.elementBytes * table.dim),
  );
}

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
