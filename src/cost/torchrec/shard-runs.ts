import type { TorchrecPerf } from "./perf/perf.js";
import type { DeviceMemory } from "./problem.js";

/** What a shard costs its rank: `cost` milliseconds in each iteration, of the phases of `perf`, and bytes of each memory. */
export interface ShardEstimate extends DeviceMemory {
  readonly cost: number;
  readonly perf: TorchrecPerf;
}

/** Neighbouring shards of an option that cost the same. */
export interface ShardRun {
  readonly count: number;
  readonly estimate: ShardEstimate;
}
