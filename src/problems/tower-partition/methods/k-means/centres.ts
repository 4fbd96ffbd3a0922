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
 * k-means++ (Arthur and Vassilvitskii 2007) with greedy trials: a first centre among the points, then each next one the best
 * of 2 + ⌊ln T⌋ points drawn by their squared distance to the nearest centre so far. Where all points are on centres, any
 * point. Gives T × dimensions by rows.
 *
 * Our own: ml-kmeans does this start inside, but gives centres only after a step that knows no sizes.
 */
export function plusPlusCentres(points: Points, groups: number, random: Random): Float64Array {
  const { coordinates, dimensions } = points;
  const count = coordinates.length / dimensions;
  const centres = new Float64Array(groups * dimensions);
  const trials = 2 + Math.floor(Math.log(groups));
  const centreAt = (point: number) => coordinates.subarray(point * dimensions, (point + 1) * dimensions);
  let chosen = random.integer(count);
  let nearest = squaredDistances(points, centreAt(chosen));
  centres.set(centreAt(chosen));
  for (let group = 1; group < groups; group++) {
    let least = Number.POSITIVE_INFINITY;
    let nextNearest = nearest;
    for (let trial = 0; trial < trials; trial++) {
      const drawn = draw(nearest, random);
      const own = squaredDistances(points, centreAt(drawn));
      const after = nearest.map((far, point) => Math.min(far, own[point] as number));
      const total = after.reduce((sum, far) => sum + far, 0);
      if (total >= least) continue;
      [least, chosen, nextNearest] = [total, drawn, after];
    }
    nearest = nextNearest;
    centres.set(centreAt(chosen), group * dimensions);
  }
  return centres;
}

/** An index with a probability in proportion to its weight; any where all weights are zero. */
function draw(weights: Float64Array, random: Random): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  if (left === 0) return random.integer(weights.length);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  // Rounding: what was left was nothing.
  return weights.findLastIndex((weight) => weight > 0);
}
