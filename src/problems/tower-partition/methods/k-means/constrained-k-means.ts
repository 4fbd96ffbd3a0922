import type { TowerProblem } from "../../../../../models/tower-partition/problem.js";
import type { Random } from "../../../../exact/random.js";
import type { LoadLimit, SizeWindow } from "../descent/limits.js";
import { meansOf, type Points, squaredDistances, startingCentres, sumOfSquares } from "./centres.js";
import { assignWithinLoad } from "./loaded-assignment.js";
import { transport } from "./transport.js";

/** What the clusters may be. */
export interface ClusterLimits {
  readonly window: SizeWindow;
  readonly load: LoadLimit | null;
}

export interface Clustering {
  /** The cluster 0 … T−1 of each point. */
  readonly labels: Int32Array;
  /** Of the points around the means of their clusters. */
  readonly sumOfSquares: number;
  /** T × dimensions by rows: the means. */
  readonly centres: Float64Array;
}

/**
 * Constrained K-means (Bradley, Bennett and Demiriz 2000): the assignment step and means in turn, until the sum of
 * squares stays. Squared distances, as K-means has them: unsquared ones minimise something else.
 *
 * `centres`: T × dimensions by rows; not changed. `null` where the assignment step finds no clusters that keep to the
 * load; throws `RangeError` where there are none of such sizes.
 */
export function clusterFrom(points: Points, centres: Float64Array, limits: ClusterLimits): Clustering | null {
  let best: Clustering | null = null;
  for (let now = centres; ; ) {
    const labels = assignmentStep(squaredDistances(points, now), centres.length / points.dimensions, limits);
    if (labels === null) return best;
    const value = sumOfSquares(points, labels);
    if (best !== null && value >= best.sumOfSquares) return best;
    now = meansOf(points, labels, now);
    best = { labels, sumOfSquares: value, centres: now };
  }
}

function assignmentStep(costs: Float64Array, clusters: number, { window, load }: ClusterLimits): Int32Array | null {
  if (load === null) return transport(costs, clusters, window).labels;
  return assignWithinLoad(costs, clusters, window, load).labels;
}

export interface ClusterOptions {
  /** For every window. */
  readonly restarts: number;
  readonly random: Random;
  readonly shouldStop?: () => boolean;
}

/**
 * The least sum of squares over all windows and starts of {@link clusterFrom} from {@link startingCentres}. `null`
 * where none was found. Once told to stop, the best so far, and one start of the first window at least.
 */
export function constrainedKMeans(
  points: Points,
  { towers, windows, load }: Pick<TowerProblem, "towers" | "windows" | "load">,
  { restarts, random, shouldStop }: ClusterOptions,
): Clustering | null {
  let best: Clustering | null = null;
  for (let start = 0; start < restarts; start++) {
    for (const window of windows) {
      const isFirst = start === 0 && window === windows[0];
      if (!isFirst && shouldStop?.() === true) return best;
      const found = clusterFrom(points, startingCentres(points, towers, random), { window, load });
      if (found !== null && (best === null || found.sumOfSquares < best.sumOfSquares)) best = found;
    }
  }
  return best;
}
