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

/** An option whose shards are run-length coded already. */
export function optionOfRuns(
  option: Omit<PlacementOption, "shards">,
  runs: readonly Pick<ShardRun, "need" | "count">[],
): PlacementOption {
  const shards = new Array<ShardNeed>(runs.reduce((sum, { count }) => sum + count, 0));
  const coded: ShardRun[] = [];
  let from = 0;
  for (const { need, count } of runs) {
    shards.fill(need, from, from + count);
    const last = coded.at(-1);
    if (last?.need === need) coded[coded.length - 1] = { ...last, count: last.count + count };
    else coded.push({ need, from, count });
    from += count;
  }
  const own = { ...option, shards };
  known.set(own, coded);
  return own;
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
