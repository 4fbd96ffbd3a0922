import { greedyBy, sizeOf } from "./greedy.js";
import type { PlacementHeuristic } from "./heuristic.js";

/**
 * size-greedy (AutoShard, section 5.1): the greedy algorithm on the bytes of the parameters, rows · dim · bytes per element.
 * Tables that are given by cost and bytes alone are taken at those bytes.
 */
export const sizeGreedy: PlacementHeuristic = greedyBy(sizeOf, "the bytes");
