import { kmeans } from "ml-kmeans";
import type { TowerProblem } from "../../../../../models/tower-partition/problem.js";
import type { Random } from "../../../../exact/random.js";
import type { LoadLimit, SizeWindow } from "../descent/limits.js";
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

/** Points, n × dimensions by rows. */
export interface Points {
  readonly coordinates: Float64Array;
  readonly dimensions: number;
}

/** ‖point − centre‖² of all points and centres, n × T by rows. `centres`: T × dimensions by rows. */
export function squaredDistances({ coordinates, dimensions }: Points, centres: Float64Array): Float64Array {
  const [points, clusters] = [coordinates.length / dimensions, centres.length / dimensions];
  const distances = new Float64Array(points * clusters);
  for (let point = 0; point < points; point++) {
    for (let cluster = 0; cluster < clusters; cluster++) {
      let sum = 0;
      for (let k = 0; k < dimensions; k++) {
        const along = (coordinates[point * dimensions + k] as number) - (centres[cluster * dimensions + k] as number);
        sum += along * along;
      }
      distances[point * clusters + cluster] = sum;
    }
  }
  return distances;
}

/**
 * The mean of the points of each cluster, T × dimensions by rows; a cluster without points keeps its centre of
 * `before`.
 */
export function meansOf(
  { coordinates, dimensions }: Points,
  labels: ArrayLike<number>,
  before: Float64Array,
): Float64Array {
  const sums = new Float64Array(before.length);
  const sizes = new Int32Array(before.length / dimensions);
  for (const [at, x] of coordinates.entries()) {
    const cluster = labels[Math.floor(at / dimensions)] as number;
    const to = cluster * dimensions + (at % dimensions);
    sums[to] = (sums[to] as number) + x;
    if (at % dimensions === 0) sizes[cluster] = (sizes[cluster] as number) + 1;
  }
  return sums.map((sum, at) => {
    const size = sizes[Math.floor(at / dimensions)] as number;
    return size === 0 ? (before[at] as number) : sum / size;
  });
}

/**
 * The K-means objective, Σ over points of ‖point − mean of its cluster‖²: what `tp` minimises in its plane. It is
 * Σ_groups (1/size) · Σ_{i<j} ‖X_i − X_j‖², the objective `kmeans` with the plane's distances.
 */
export function sumOfSquares(points: Points, labels: ArrayLike<number>): number {
  const { coordinates, dimensions } = points;
  const clusters = 1 + Array.from(labels).reduce((most, cluster) => Math.max(most, cluster), -1);
  const means = meansOf(points, labels, new Float64Array(clusters * dimensions));
  return coordinates.reduce((sum, x, at) => {
    const cluster = labels[Math.floor(at / dimensions)] as number;
    return sum + (x - (means[cluster * dimensions + (at % dimensions)] as number)) ** 2;
  }, 0);
}

/**
 * Centres to start constrained K-means from, by ml-kmeans: k-means++ with greedy trials (Arthur and Vassilvitskii
 * 2007), then one step of K-means, which knows no sizes. Gives T × dimensions by rows; there are at least T points.
 */
export function startingCentres({ coordinates, dimensions }: Points, clusters: number, random: Random): Float64Array {
  const rows = Array.from({ length: coordinates.length / dimensions }, (_, point) =>
    Array.from(coordinates.subarray(point * dimensions, (point + 1) * dimensions)),
  );
  const { centroids } = kmeans(rows, clusters, { seed: random.integer(2 ** 32), maxIterations: 1 });
  return Float64Array.from(centroids.flat());
}
