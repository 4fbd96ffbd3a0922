import type { ShardEstimate, ShardRun } from "./shard-runs.js";

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
