import { kmeans } from "ml-kmeans";
import type { Random } from "../../../../exact/random.js";

/** Points, n × dimensions by rows. */
export interface Points {
  readonly coordinates: Float64Array;
  readonly dimensions: number;
}

/** ‖point − centre‖² of all points and centres, n × T by rows. `centres`: T × dimensions by rows. */
export function squaredDistances({ coordinates, dimensions }: Points, centres: Float64Array): Float64Array {
  const [points, groups] = [coordinates.length / dimensions, centres.length / dimensions];
  const distances = new Float64Array(points * groups);
  for (let point = 0; point < points; point++) {
    for (let group = 0; group < groups; group++) {
      let sum = 0;
      for (let k = 0; k < dimensions; k++) {
        const along = (coordinates[point * dimensions + k] as number) - (centres[group * dimensions + k] as number);
        sum += along * along;
      }
      distances[point * groups + group] = sum;
    }
  }
  return distances;
}

/** The mean of the points of each group, T × dimensions by rows; a group without points keeps its centre of `before`. */
export function meansOf(
  { coordinates, dimensions }: Points,
  numbering: ArrayLike<number>,
  before: Float64Array,
): Float64Array {
  const sums = new Float64Array(before.length);
  const sizes = new Int32Array(before.length / dimensions);
  for (const [at, x] of coordinates.entries()) {
    const group = numbering[Math.floor(at / dimensions)] as number;
    const to = group * dimensions + (at % dimensions);
    sums[to] = (sums[to] as number) + x;
    if (at % dimensions === 0) sizes[group] = (sizes[group] as number) + 1;
  }
  return sums.map((sum, at) => {
    const size = sizes[Math.floor(at / dimensions)] as number;
    return size === 0 ? (before[at] as number) : sum / size;
  });
}

/**
 * The K-means objective, Σ over points of ‖point − mean of its group‖²: what `tp` minimises in its plane. It is
 * Σ_groups (1/size) · Σ_{i<j} ‖X_i − X_j‖², the objective `kmeans` with the plane's distances.
 */
export function sumOfSquares(points: Points, numbering: ArrayLike<number>): number {
  const { coordinates, dimensions } = points;
  const groups = 1 + Array.from(numbering).reduce((most, group) => Math.max(most, group), -1);
  const means = meansOf(points, numbering, new Float64Array(groups * dimensions));
  return coordinates.reduce((sum, x, at) => {
    const group = numbering[Math.floor(at / dimensions)] as number;
    return sum + (x - (means[group * dimensions + (at % dimensions)] as number)) ** 2;
  }, 0);
}

/**
 * Centres to start constrained K-means from, by ml-kmeans: k-means++ with greedy trials (Arthur and Vassilvitskii 2007), then
 * one step of K-means, which knows no sizes. Gives T × dimensions by rows; there are at least T points.
 */
export function startingCentres({ coordinates, dimensions }: Points, groups: number, random: Random): Float64Array {
  const rows = Array.from({ length: coordinates.length / dimensions }, (_, point) =>
    Array.from(coordinates.subarray(point * dimensions, (point + 1) * dimensions)),
  );
  const { centroids } = kmeans(rows, groups, { seed: random.integer(2 ** 32), maxIterations: 1 });
  return Float64Array.from(centroids.flat());
}
