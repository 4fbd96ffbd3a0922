import { greedyBy } from "./greedy.js";
import type { PlacementHeuristic } from "./heuristic.js";

/** size-lookup-greedy (DreamShard and NeuroShard's code): the greedy algorithm on dimension · mean pooling factor · log₁₀ rows. */
export const sizeLookupGreedy: PlacementHeuristic = greedyBy(({ features }) => {
  if (features?.poolingFactor == null) return null;
  return features.dim * features.poolingFactor * Math.log10(features.rows);
}, "the rows, the dimension and the pooling factor");
