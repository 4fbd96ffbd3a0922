import type { PlacementHeuristic } from "./heuristic.js";
import { dynamicProgrammingProposer } from "./torchrec/dynamic-programming-proposer.js";
import { greedyPerfPartitioner } from "./torchrec/greedy-perf-partitioner.js";
import { greedyProposer } from "./torchrec/greedy-proposer.js";
import { gridSearchProposer } from "./torchrec/grid-search-proposer.js";
import { torchrecPlanner } from "./torchrec/heuristic.js";
import { memoryBalancedPartitioner } from "./torchrec/memory-balanced-partitioner.js";
import type { Proposer } from "./torchrec/proposer.js";
import { uniformProposer } from "./torchrec/uniform-proposer.js";

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
