import { greedyBy } from "./greedy.js";
import { underSetCost } from "./learned.js";

const byPredictedCost = greedyBy(({ need }) => need.cost, "a predicted cost");

/**
 * predicted-greedy-single: the greedy algorithm on the cost that the network predicts for each table alone, as if these added
 * up. What is left of AutoShard's cost network when its sets are left out.
 */
export const predictedGreedySingle = underSetCost((problem, _, context) => byPredictedCost(problem, context));
