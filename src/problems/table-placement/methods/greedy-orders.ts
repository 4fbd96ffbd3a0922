import { greedyBy, sizeOf } from "./greedy.js";
import { underSetCost } from "./learned.js";
import type { WholeTable } from "./whole-tables.js";

/**
 * size-greedy (AutoShard, section 5.1): the greedy algorithm on the bytes of the parameters, rows · dim · bytes per element.
 * Tables that are given by cost and bytes alone are taken at those bytes.
 */
export const sizeGreedy = greedyBy(sizeOf, "the bytes");

/** dim-greedy (AutoShard, section 5.1): the greedy algorithm on the dimension. */
export const dimGreedy = greedyBy(({ features }) => features?.dim ?? null, "the dimension");

/**
 * lookup-greedy (AutoShard, section 5.1): the greedy algorithm on dimension · mean pooling factor. Where that is the cost
 * model too and memory is slack, it is often optimal already.
 */
export const lookupGreedy = greedyBy(lookupsOf, "the dimension and the pooling factor");

/** size-lookup-greedy (DreamShard and NeuroShard's code): the greedy algorithm on dimension · mean pooling factor · log₁₀ rows. */
export const sizeLookupGreedy = greedyBy((table) => {
  const lookups = lookupsOf(table);
  return lookups === null ? null : lookups * Math.log10(table.features?.rows as number);
}, "the rows, the dimension and the pooling factor");

const byPredictedCost = greedyBy(({ need }) => need.cost, "a predicted cost");

/**
 * predicted-greedy-single: the greedy algorithm on the cost that the network predicts for each table alone, as if these added
 * up. What is left of AutoShard's cost network when its sets are left out.
 */
export const predictedGreedySingle = underSetCost((problem, _, context) => byPredictedCost(problem, context));

function lookupsOf({ features }: WholeTable): number | null {
  return features?.poolingFactor == null ? null : features.dim * features.poolingFactor;
}
