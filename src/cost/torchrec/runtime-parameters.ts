import type { TorchrecDataType } from "./data-types.js";

/** FBGEMM's names (`BoundsCheckMode`). */
export const BOUNDS_CHECK_MODES = [
  "FATAL",
  "WARNING",
  "IGNORE",
  "NONE",
  "V2_IGNORE",
  "V2_WARNING",
  "V2_FATAL",
] as const;

/**
 * What a table's `ParameterSharding` tells TorchRec's runtime beside where the shards are, in TorchRec's own words; the
 * runtime prefers it to the sharder's `fused_params` (torchrec/distributed/utils.py, `add_params_from_parameter_sharding`).
 */
export interface RuntimeParameters {
  readonly cache_params?: {
    readonly algorithm?: "LRU" | "LFU";
    readonly load_factor?: number;
    readonly reserved_memory?: number;
    readonly precision?: TorchrecDataType;
    readonly prefetch_pipeline?: boolean;
    readonly multipass_prefetch_config?: { readonly num_passes: number };
  };
  readonly enforce_hbm?: boolean;
  readonly stochastic_rounding?: boolean;
  readonly bounds_check_mode?: (typeof BOUNDS_CHECK_MODES)[number];
  readonly output_dtype?: TorchrecDataType;
  readonly key_value_params?: Readonly<Record<string, string | number | boolean>>;
}
