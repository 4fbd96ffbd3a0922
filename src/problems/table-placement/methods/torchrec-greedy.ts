import type { PlacementHeuristic } from "./heuristic.js";
import { greedyPerfPartitioner } from "./torchrec/greedy-perf-partitioner.js";
import { greedyProposer } from "./torchrec/greedy-proposer.js";
import { gridSearchProposer } from "./torchrec/grid-search-proposer.js";
import { torchrecPlanner } from "./torchrec/heuristic.js";
import type { Proposer } from "./torchrec/proposer.js";
import { uniformProposer } from "./torchrec/uniform-proposer.js";

/** What `EmbeddingShardingPlanner` runs when it is not told otherwise (planner/planners.py). */
export const DEFAULT_PROPOSERS: readonly Proposer[] = [
  gridSearchProposer,
  greedyProposer("largestCost"),
  greedyProposer("totalCost"),
  uniformProposer,
];

/**
 * TorchRec's planner with its defaults, at commit 376cac6a (1.9.0a0): grid search, greedy by the largest and by the summed
 * cost and uniform proposals, the greedy partitioner by storage.
 */
export const torchrecGreedy: PlacementHeuristic = torchrecPlanner(
  DEFAULT_PROPOSERS,
  greedyPerfPartitioner({ sortBy: "storage" }),
);
