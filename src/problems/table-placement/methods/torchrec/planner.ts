import type { Placement } from "../../../../../models/table-placement/problem.js";
import type { Partitioner, Ranks } from "./greedy-perf-partitioner.js";
import type { Proposal, Proposer } from "./proposer.js";
import type { SearchSpace, SpaceShard } from "./search-space.js";

/** What a run of the planner came to, in the numbers that TorchRec logs. */
export interface PlannerRun {
  /** `null` where no proposal could be placed. */
  readonly placement: Placement | null;
  /** Of the placement: `perf_rating`; infinite where there is none. */
  readonly rating: number;
  /** Proposals that differ (`num_proposals`), and how many of them could be placed (`num_plans`). */
  readonly proposals: number;
  readonly plans: number;
}

/**
 * planner/planners.py, `EmbeddingShardingPlanner.plan`: proposals of one proposer after the other, those seen before left
 * out, each partitioned and rated; the first with the best rating is the plan. `shouldStop` is asked between proposals, as
 * TorchRec's timeout is, with the shards placed since.
 */
export function runPlanner(
  space: SearchSpace,
  proposers: readonly Proposer[],
  partition: Partitioner,
  shouldStop?: (placed: number) => boolean,
): PlannerRun {
  const seen = new Set<string>();
  let best: { proposal: Proposal; ranks: Ranks } | null = null;
  let rating = Number.POSITIVE_INFINITY;
  let plans = 0;
  let placed = 0;
  search: for (const proposer of proposers) {
    for (const proposal of proposer(space)) {
      const key = keyOf(proposal);
      if (seen.has(key)) continue;
      if (shouldStop?.(placed)) break search;
      seen.add(key);
      placed = proposal.reduce((sum, { shards }) => sum + shards.length, 0);
      const ranks = partition(space, proposal);
      if (ranks === null) continue;
      plans++;
      const value = rate(space, proposal, ranks);
      if (value < rating) {
        rating = value;
        best = { proposal, ranks };
      }
    }
  }
  return { placement: best && placementOf(best.proposal, best.ranks), rating, proposals: seen.size, plans };
}

/** planner/perf_models.py, `NoopPerfModel.rate`: the largest sum of costs on a rank, added up in the proposal's order. */
export function rate({ devices }: SearchSpace, proposal: Proposal, ranks: Ranks): number {
  const sums = new Float64Array(devices);
  for (const { table, shards } of proposal) {
    const own = ranks[table] as readonly number[];
    for (let k = 0; k < own.length; k++) {
      const rank = own[k] as number;
      sums[rank] = (sums[rank] as number) + (shards[k] as SpaceShard).cost;
    }
  }
  return Math.max(...sums);
}

/** The same for the same options, in whatever order the proposal has the tables. */
function keyOf(proposal: Proposal): string {
  const options = new Uint16Array(proposal.length);
  for (const { table, option } of proposal) options[table] = option;
  return String.fromCharCode(...options);
}

function placementOf(proposal: Proposal, ranks: Ranks): Placement {
  const choices = proposal.map(({ table, option }) => ({ table, option, devices: ranks[table] as readonly number[] }));
  return {
    choices: choices.sort((a, b) => a.table - b.table).map(({ option, devices }) => ({ option, devices })),
  };
}
