import { given } from "../../input/given.js";
import type { TorchrecProblemInput, TorchrecTableInput } from "./schema.js";

/** What the runtime is told of a table; what all tables share where it has none of its own, so that the costs are those of the plan. */
export function runtimeParameters(table: TorchrecTableInput, shared: TorchrecProblemInput["fused_params"]) {
  const passes = table.multipass_prefetch_passes ?? shared?.multipass_prefetch_passes;
  const cache = given({
    algorithm: table.cache_algorithm,
    load_factor: table.cache_load_factor ?? shared?.cache_load_factor,
    reserved_memory: table.cache_reserved_memory,
    precision: table.cache_precision,
    prefetch_pipeline: table.prefetch_pipeline ?? shared?.prefetch_pipeline,
    multipass_prefetch_config: passes === undefined ? undefined : { num_passes: passes },
  });
  const keyValue = given(table.key_value_params ?? {});
  return given({
    cache_params: Object.keys(cache).length === 0 ? undefined : cache,
    enforce_hbm: table.enforce_hbm,
    stochastic_rounding: table.stochastic_rounding,
    bounds_check_mode: table.bounds_check_mode,
    output_dtype: table.output_dtype,
    key_value_params: Object.keys(keyValue).length === 0 ? undefined : keyValue,
  });
}

/**
 * What a table's `ParameterSharding` tells TorchRec's runtime beside where the shards are, in TorchRec's own words; the
 * runtime prefers it to the sharder's `fused_params` (torchrec/distributed/utils.py, `add_params_from_parameter_sharding`).
 */
export type RuntimeParameters = Readonly<ReturnType<typeof runtimeParameters>>;
