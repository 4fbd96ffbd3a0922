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
