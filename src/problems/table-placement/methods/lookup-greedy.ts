import { greedyBy } from "./greedy.js";
import type { PlacementHeuristic } from "./heuristic.js";

/**
 * lookup-greedy (AutoShard, section 5.1): the greedy algorithm on dimension · mean pooling factor. Where that is the cost
 * model too and memory is slack, it is often optimal already.
 */
export const lookupGreedy: PlacementHeuristic = greedyBy(
  ({ features }) => (features?.poolingFactor == null ? null : features.dim * features.poolingFactor),
  "the dimension and the pooling factor",
);
