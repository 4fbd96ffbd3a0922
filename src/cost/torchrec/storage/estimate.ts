import { type ComputeKernel, KEY_VALUE_KERNELS, VIRTUAL_KERNELS } from "../kernels.js";
import type { DeviceMemory, TorchrecProblem, TorchrecTable } from "../problem.js";
import { tableQuantities } from "../quantities.js";
import type { ShardingType } from "../sharding-types.js";
import type { ShardShape } from "../shards.js";
import { pipelineIoBytes, shardIo } from "./io.js";
import { memoryOfKernel, type TableMemory } from "./kept.js";
import { cacheShare, residentBytes, shardBytes, tableBytes } from "./weights.js";

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
