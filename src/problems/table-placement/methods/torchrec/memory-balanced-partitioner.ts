import { greedyPerfPartitioner, type Partitioner, type Ranks } from "./greedy-perf-partitioner.js";
import { rate } from "./planner.js";
import type { Proposal } from "./proposer.js";
import type { SearchSpace, SpaceOption, SpaceShard } from "./search-space.js";

export interface MemoryBalancedOptions {
  /** Greedy partitions that are tried beside the first. */
  readonly maxSearchCount: number;
  /** How much worse than the first plan, relatively, a plan may be that needs less HBM. */
  readonly tolerance: number;
}

/** The search ends when its bounds are this close. */
const TEN_MEBIBYTES = 10 * 2 ** 20;

/**
 * planner/partitioners.py, `MemoryBalancedPartitioner`: the greedy partitioner by falling time; then a bisection on a cap of
 * every rank's HBM, between what it cannot be less than (the average, the largest shard) and what the first plan uses, for
 * the least cap whose plan is within the tolerance.
 *
 * A cap never lifts a rank's own limit; TorchRec's does where ranks differ.
 */
export function memoryBalancedPartitioner({ maxSearchCount, tolerance }: MemoryBalancedOptions): Partitioner {
  return (space, proposal) => {
    const first = greedyPerfPartitioner({ sortBy: "perf" })(space, proposal);
    if (first === null) return null;
    const limit = rate(space, proposal, first) * (1 + tolerance);
    let best = first;
    let { least, most } = bounds(space, proposal, first);
    for (let count = 0; count < maxSearchCount && least + TEN_MEBIBYTES < most; count++) {
      const hbmCap = Math.floor((most + least) / 2);
      const ranks = greedyPerfPartitioner({ sortBy: "perf", hbmCap })(space, proposal);
      if (ranks === null || rate(space, proposal, ranks) > limit) {
        least = hbmCap;
      } else {
        best = ranks;
        most = hbmCap;
      }
    }
    return best;
  };
}

function bounds({ devices }: SearchSpace, proposal: Proposal, ranks: Ranks): { least: number; most: number } {
  const used = new Array<number>(devices).fill(0);
  for (const { table, shards } of proposal) {
    for (const [k, rank] of (ranks[table] as readonly number[]).entries()) {
      used[rank] = (used[rank] as number) + (shards[k] as SpaceShard).hbmBytes;
    }
  }
  const total = proposal.reduce((sum, { totalHbm }: SpaceOption) => sum + totalHbm, 0);
  const largestShard = proposal.reduce((most, { largestHbm }) => Math.max(most, largestHbm), 0);
  return { least: Math.max(Math.trunc(total / devices), largestShard), most: Math.max(...used) };
}
