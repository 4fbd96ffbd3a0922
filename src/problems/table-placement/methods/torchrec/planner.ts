import type { Placement } from "../../../../../models/table-placement/problem.js";
import { type PlacementHeuristic, unknownConstraint } from "../heuristic.js";
import {
  greedyPerfPartitioner,
  memoryBalancedPartitioner,
  type Partitioner,
  type Ranks,
  rate,
} from "./partitioners.js";
import {
  dynamicProgrammingProposer,
  greedyProposer,
  gridSearchProposer,
  type Proposal,
  type Proposer,
  uniformProposer,
} from "./proposers.js";
import { type SearchSpace, searchSpace } from "./search-space.js";

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

/** TorchRec's planner with these proposers and this partitioner. */
function torchrecPlanner(proposers: readonly Proposer[], partition: Partitioner): PlacementHeuristic {
  return (problem, context) => {
    const unknown = unknownConstraint(problem);
    if (unknown) return unknown;
    const space = searchSpace(problem, context);
    const { placement, proposals } = runPlanner(space, proposers, partition, context.shouldStop);
    if (placement !== null) return { kind: "plan", placement };
    const which = proposals === 1 ? "its only proposal" : `any of its ${proposals} proposals`;
    const reason = `its partitioner could not place ${which}`;
    return { kind: "none", reason };
  };
}

/** What `EmbeddingShardingPlanner` runs when it is not told otherwise (planner/planners.py). */
export const DEFAULT_PROPOSERS: readonly Proposer[] = [
  gridSearchProposer,
  greedyProposer("largestCost"),
  greedyProposer("totalCost"),
  uniformProposer,
];

const byStorage = greedyPerfPartitioner({ sortBy: "storage" });

/**
 * TorchRec's planner with its defaults, at commit 376cac6a (1.9.0a0): grid search, greedy by the largest and by the summed
 * cost and uniform proposals, the greedy partitioner by storage.
 */
export const torchrecGreedy: PlacementHeuristic = torchrecPlanner(DEFAULT_PROPOSERS, byStorage);

/** TorchRec's planner with its dynamic-programming proposer alone (opt-in there), and the default partitioner. */
export const torchrecDp: PlacementHeuristic = torchrecPlanner([dynamicProgrammingProposer], byStorage);

/** TorchRec's planner with its memory-balanced partitioner (opt-in there) at its defaults, and the default proposers. */
export const torchrecMemoryBalanced: PlacementHeuristic = torchrecPlanner(
  DEFAULT_PROPOSERS,
  memoryBalancedPartitioner({ maxSearchCount: 10, tolerance: 0.02 }),
);
