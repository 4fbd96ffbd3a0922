import { InputError } from "../../errors/input-error.js";
import type { TorchrecConstants } from "./constants.js";
import type { Sharder, ShardingType } from "./sharding-types.js";
import type { ComputeDevice, TorchrecTopology } from "./topology.js";

/** TorchRec's names (torchrec/distributed/embedding_types.py, `EmbeddingComputeKernel`). */
export const COMPUTE_KERNELS = [
  "dense",
  "fused",
  "fused_triton",
  "fused_uvm",
  "fused_uvm_caching",
  "key_value",
  "ssd_virtual_table",
  "dram_virtual_table",
  "dram_ssd_virtual_table",
  "quant",
  "quant_uvm",
  "quant_uvm_caching",
] as const;
export type ComputeKernel = (typeof COMPUTE_KERNELS)[number];

/** Kernels that keep rows outside HBM in a store of keys and values, behind a cache in HBM. */
export const KEY_VALUE_KERNELS: ReadonlySet<ComputeKernel> = new Set([
  "key_value",
  "ssd_virtual_table",
  "dram_virtual_table",
  "dram_ssd_virtual_table",
]);

/** Of those, the ones whose rows exist once they are trained. */
export const VIRTUAL_KERNELS: ReadonlySet<ComputeKernel> = new Set(
  [...KEY_VALUE_KERNELS].filter((kernel) => kernel !== "key_value"),
);

/** Kernels that hold a part of the table in HBM (planner/shard_estimators.py, `_is_table_cached`). */
export const CACHED_KERNELS: ReadonlySet<ComputeKernel> = new Set([
  "fused_uvm_caching",
  "quant_uvm_caching",
  ...KEY_VALUE_KERNELS,
]);

/** Kernels that are enumerated only where a table's constraints name them. */
export const GUARDED_KERNELS: ReadonlySet<ComputeKernel> = KEY_VALUE_KERNELS;

/**
 * The kernels of a sharder for a sharding type, guarded ones included (torchrec/distributed/embedding_types.py,
 * `compute_kernels`): dense for data_parallel alone, because dense is dropped wherever fused exists. None has
 * `fused_triton`, which a plan may name all the same.
 */
export function kernelsOf(
  sharder: Sharder,
  shardingType: ShardingType,
  device: ComputeDevice,
): readonly ComputeKernel[] {
  if (sharder === "quant_embedding_bag_collection") {
    return device === "cuda" ? ["quant", "quant_uvm", "quant_uvm_caching"] : ["quant"];
  }
  if (shardingType === "data_parallel") return ["dense"];
  if (device !== "cuda") return ["fused"];
  return ["fused", "fused_uvm", "fused_uvm_caching", ...KEY_VALUE_KERNELS];
}

/**
 * Bytes per millisecond at which a kernel reads and writes (planner/constants.py, `kernel_bw_lookup`). UVM kernels go
 * through the link between HBM and host memory, a tenth of it; the caching ones mix HBM and the link by `cachingRatio`,
 * the share of the table in HBM, and are as fast as HBM when a pipeline prefetches for them.
 *
 * Throws {@link InputError} for a kernel that TorchRec has no bandwidth for on this device.
 */
export function kernelBandwidth(
  kernel: ComputeKernel,
  topology: TorchrecTopology,
  constants: TorchrecConstants,
  { cachingRatio, prefetchPipeline = false }: { cachingRatio?: number | undefined; prefetchPipeline?: boolean } = {},
): number {
  const { computeDevice, hbmBandwidth, ddrBandwidth, hbmToDdrBandwidth, ssdBandwidth } = topology;
  const memory = computeDevice === "cpu" ? ddrBandwidth : hbmBandwidth;
  if (kernel === "dense") return 0.5 * memory;
  if (kernel === "fused" || kernel === "quant") return memory;
  if (computeDevice === "cuda") {
    const ratio = cachingRatio ?? constants.UVM_CACHING_RATIO;
    switch (kernel) {
      case "fused_triton":
        return memory;
      case "fused_uvm":
      case "quant_uvm":
        return hbmToDdrBandwidth / 10;
      case "fused_uvm_caching":
        if (prefetchPipeline) return memory;
        return (ratio * hbmBandwidth + (1 - ratio) * hbmToDdrBandwidth) / 10;
      case "quant_uvm_caching":
        return (ratio * hbmBandwidth + (1 - ratio) * hbmToDdrBandwidth) / 10;
      case "key_value":
        return ssdBandwidth;
      default:
        return hbmToDdrBandwidth;
    }
  }
  throw new InputError(
    `expected a kernel that TorchRec knows the bandwidth of on ${computeDevice} (dense, fused or quant), received ${kernel}; name one of those in compute_kernels`,
  );
}
