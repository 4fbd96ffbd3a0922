import type { PlacementHeuristic } from "./heuristic.js";
import { dynamicProgrammingProposer } from "./torchrec/dynamic-programming-proposer.js";
import { greedyPerfPartitioner } from "./torchrec/greedy-perf-partitioner.js";
import { torchrecPlanner } from "./torchrec/heuristic.js";

/** TorchRec's planner with its dynamic-programming proposer alone (opt-in there), and the default partitioner. */
export const torchrecDp: PlacementHeuristic = torchrecPlanner(
  [dynamicProgrammingProposer],
  greedyPerfPartitioner({ sortBy: "storage" }),
);
