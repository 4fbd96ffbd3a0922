import type { PlacementHeuristic } from "./heuristic.js";
import { torchrecPlanner } from "./torchrec/heuristic.js";
import { memoryBalancedPartitioner } from "./torchrec/memory-balanced-partitioner.js";
import { DEFAULT_PROPOSERS } from "./torchrec-greedy.js";

/** TorchRec's planner with its memory-balanced partitioner (opt-in there) at its defaults, and the default proposers. */
export const torchrecMemoryBalanced: PlacementHeuristic = torchrecPlanner(
  DEFAULT_PROPOSERS,
  memoryBalancedPartitioner({ maxSearchCount: 10, tolerance: 0.02 }),
);
