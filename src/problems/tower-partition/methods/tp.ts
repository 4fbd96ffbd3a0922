import { seededRandom } from "../../../exact/random.js";
import { inOrderOfFirst } from "./descent/limits.js";
import { embed } from "./embedding/embed.js";
import { noneWithinLoad, noSizes, positive, searchWithinLoad, type TowerHeuristic } from "./heuristic.js";
import { constrainedKMeans } from "./k-means/constrained-k-means.js";

/** Starts of K-means. */
const RESTARTS = 20;

/**
 * DMT's tower partitioner (section 3.3): features become points of the plane by Adam on the stress of the distance
 * matrix, and constrained K-means makes the towers; the best of 20 starts in every window of sizes, by the sum of
 * squares in the plane. Both strategies are the same to it: they differ in the distances. It does not look at the
 * problem's objective.
 *
 * Where features have loads, which the paper does not know, the assignment step keeps to them
 * ({@link assignWithinLoad}).
 */
export const tp: TowerHeuristic = (problem, { seed, shouldStop, ...context }) => {
  const restarts = positive("restarts", context.restarts ?? RESTARTS);
  const dimensions = positive("dimensions", context.dimensions ?? 2);
  if (problem.windows.length === 0) return noSizes(problem);
  const random = seededRandom(seed);
  const stop = shouldStop === undefined ? {} : { shouldStop };
  const embedding = embed(problem.distance, { method: context.embedding ?? "adam", dimensions, random, ...stop });
  const clusters = searchWithinLoad(problem, (within) =>
    constrainedKMeans(embedding, within, { restarts, random, ...stop }),
  );
  if (clusters === null) return noneWithinLoad;
  return { kind: "plan", labels: inOrderOfFirst(clusters.labels), embedding };
};
