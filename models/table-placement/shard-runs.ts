import type { PlacementOption, ShardNeed } from "./problem.js";

/** Neighbouring shards of an option that need the same. */
export interface ShardRun {
  readonly need: ShardNeed;
  /** The first of them. */
  readonly from: number;
  readonly count: number;
}

const known = new WeakMap<PlacementOption, readonly ShardRun[]>();

/** An option's shards, in order, run-length coded: one look at them, then as many runs as there are kinds of neighbours. */
export function shardRunsOf(option: PlacementOption): readonly ShardRun[] {
  const found = known.get(option);
  if (found !== undefined) return found;
  const runs = runsOfShards(option.shards);
  known.set(option, runs);
  return runs;
}

/** The same of some shards. */
export function runsOfShards(shards: readonly ShardNeed[]): readonly ShardRun[] {
  const runs: { readonly need: ShardNeed; readonly from: number; count: number }[] = [];
  let last: (typeof runs)[number] | undefined;
  for (const [shard, need] of shards.entries()) {
    // Equal neighbours of an instance's options are one object.
    if (last?.need === need) {
      last.count++;
      continue;
    }
    last = { need, from: shard, count: 1 };
    runs.push(last);
  }
  return runs;
}
