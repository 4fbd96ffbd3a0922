import type { PlacementTable, ShardNeed } from "../../../../../models/table-placement/problem.js";
import { shardRunsOf } from "../../../../../models/table-placement/shard-runs.js";

/** A table cut into so many equal shards. */
export interface Split {
  /** Index of the option. */
  readonly option: number;
  /** What each of the shards needs: the most that one of them does, where they differ. */
  readonly need: ShardNeed;
}

/**
 * The ways to cut a table, by number of shards: options whose shards go on any device each, and those with one shard on
 * every device. Of several with as many shards the one that costs least, the first of equal ones.
 */
export function splitsOf({ options }: PlacementTable, devices: number): ReadonlyMap<number, Split> {
  const splits = new Map<number, Split>();
  for (const [option, own] of options.entries()) {
    const { partitionBy, shards } = own;
    const count = shards.length;
    const isOnAll = partitionBy === "uniform" && count === devices;
    if (!isOnAll && (partitionBy !== "device" || count > devices)) continue;
    const most = (of: (shard: ShardNeed) => number) => Math.max(...shardRunsOf(own).map(({ need }) => of(need)));
    const need = {
      cost: most(({ cost }) => cost),
      hbmBytes: most(({ hbmBytes }) => hbmBytes),
      hostBytes: most(({ hostBytes }) => hostBytes),
      ssdBytes: most(({ ssdBytes = 0 }) => ssdBytes),
    };
    if (need.cost < (splits.get(count)?.need.cost ?? Number.POSITIVE_INFINITY)) splits.set(count, { option, need });
  }
  return splits;
}
