import { greedyBy } from "./greedy.js";
import type { PlacementHeuristic } from "./heuristic.js";

/** dim-greedy (AutoShard, section 5.1): the greedy algorithm on the dimension. */
export const dimGreedy: PlacementHeuristic = greedyBy(({ features }) => features?.dim ?? null, "the dimension");
