import type { PlacementOption, ShardNeed } from "./problem.js";

/** Neighbouring shards of an option that need the same. */
export interface ShardRun {
  readonly need: ShardNeed;
  readonly count: number;
}

const known = new WeakMap<PlacementOption, readonly ShardRun[]>();

/** An option's shards, in order, run-length coded: one look at them, then as many runs as there are kinds of neighbours. */
export function shardRunsOf(option: PlacementOption): readonly ShardRun[] {
  const found = known.get(option);
  if (found !== undefined) return found;
  const runs: { readonly need: ShardNeed; count: number }[] = [];
  for (const need of option.shards) {
    const last = runs.at(-1);
    // Equal neighbours of an instance's options are one object.
    if (last?.need === need) last.count++;
    else runs.push({ need, count: 1 });
  }
  known.set(option, runs);
  return runs;
}
