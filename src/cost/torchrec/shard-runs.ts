import type { DeviceMemory } from "./problem.js";

/**
 * Time of one shard in one iteration, in milliseconds, phase by phase (planner/types.py, `Perf`). `inputDistribution` is
 * not part of the total.
 */
export interface TorchrecPerf {
  readonly forwardCompute: number;
  readonly forwardComms: number;
  readonly backwardCompute: number;
  readonly backwardComms: number;
  readonly prefetchCompute: number;
  readonly inputDistribution: number;
}

/** `Perf.total`, which adds the phases in this order. */
export function totalPerf(perf: TorchrecPerf): number {
  return perf.forwardCompute + perf.backwardCompute + perf.forwardComms + perf.backwardComms + perf.prefetchCompute;
}

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

/** The shards of an option, in order, run-length coded: the form in which an instance lists them. */
export function shardRuns({ estimates }: { readonly estimates: readonly ShardRun[] }): readonly ShardRun[] {
  const runs: { count: number; readonly estimate: ShardEstimate }[] = [];
  for (const { count, estimate } of estimates) {
    const { cost, hbmBytes, hostBytes, ssdBytes } = estimate;
    const last = runs.at(-1);
    const isSame =
      last?.estimate.cost === cost &&
      last.estimate.hbmBytes === hbmBytes &&
      last.estimate.hostBytes === hostBytes &&
      last.estimate.ssdBytes === ssdBytes;
    if (last && isSame) last.count += count;
    else runs.push({ count, estimate });
  }
  return runs;
}
