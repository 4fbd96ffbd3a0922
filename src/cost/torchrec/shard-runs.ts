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

/** The phases of a shard's total, in the order in which `Perf.total` adds them. */
export function phasesOf(perf: TorchrecPerf): readonly number[] {
  return [perf.forwardCompute, perf.backwardCompute, perf.forwardComms, perf.backwardComms, perf.prefetchCompute];
}

/** `Perf.total`. */
export function totalPerf(perf: TorchrecPerf): number {
  return phasesOf(perf).reduce((sum, phase) => sum + phase);
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
  const keys = ["cost", "hbmBytes", "hostBytes", "ssdBytes"] as const;
  const runs = runsOf(estimates, (a, b) => keys.every((key) => a.estimate[key] === b.estimate[key]));
  return runs.map((run) => ({
    count: run.reduce((sum, { count }) => sum + count, 0),
    estimate: (run[0] as ShardRun).estimate,
  }));
}

/** Neighbours that are alike, together. */
export function runsOf<Item>(items: readonly Item[], areAlike: (a: Item, b: Item) => boolean): readonly Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && areAlike(last[0] as Item, item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}
