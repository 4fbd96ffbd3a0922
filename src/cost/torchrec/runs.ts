import type { ShardEstimate, TorchrecOption } from "./enumerate.js";

/** Neighbouring shards of an option that cost the same. */
export interface ShardRun {
  readonly count: number;
  readonly estimate: ShardEstimate;
}

/** The shards of an option, in order, run-length coded: the form in which an instance lists them. */
export function shardRuns({ shards }: TorchrecOption): readonly ShardRun[] {
  const runs: { count: number; estimate: ShardEstimate }[] = [];
  for (const { cost, perf, hbmBytes, hostBytes, ssdBytes } of shards) {
    const last = runs.at(-1);
    const isSame =
      last?.estimate.cost === cost &&
      last.estimate.hbmBytes === hbmBytes &&
      last.estimate.hostBytes === hostBytes &&
      last.estimate.ssdBytes === ssdBytes;
    if (last && isSame) last.count++;
    else runs.push({ count: 1, estimate: { cost, perf, hbmBytes, hostBytes, ssdBytes } });
  }
  return runs;
}
