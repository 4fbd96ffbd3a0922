import { type Random, seededRandom } from "../../exact/random.js";
import { nearlyNormal } from "./draws.js";

export const INTERACTION_KINDS = ["planted", "uniform", "embedded"] as const;

/** How a synthetic interaction matrix is made. */
export interface RandomInteraction {
  readonly kind: (typeof INTERACTION_KINDS)[number];
  readonly features: number;
  /** Groups of features that are alike; not for `uniform`. Default: a fifth of the features. */
  readonly clusters?: number;
  readonly seed: number;
}

/** Samples and elements of the vectors behind `embedded`. */
const SAMPLES = 64;
const DIMENSIONS = 16;

/**
 * A synthetic interaction matrix, F × F by rows, symmetric with ones on the diagonal, every other entry a multiple of 1e-4
 * in [0, 1].
 *
 * - `planted`: 0.65 for features of one cluster and 0.25 for others, plus noise that is uniform in ±0.25;
 * - `uniform`: every pair uniform in [0, 1];
 * - `embedded`: mean |cos| over samples of vectors, each the sum of its cluster's vector, one that all share (both in
 *   measures that differ by feature), and noise.
 *
 * Features belong to clusters at random, so that neither their order nor their sizes tell.
 */
export function randomInteraction(spec: RandomInteraction): Float64Array {
  const { kind, features, clusters = Math.ceil(features / 5), seed } = spec;
  const random = seededRandom(seed);
  const clusterOf = Array.from({ length: features }, () => random.integer(clusters));
  const pair = kind === "embedded" ? embedded(random, clusterOf) : entries(random, kind, clusterOf);
  const matrix = new Float64Array(features * features);
  for (let i = 0; i < features; i++) {
    matrix[i * features + i] = 1;
    for (let j = 0; j < i; j++) {
      const value = Math.round(Math.min(1, Math.max(0, pair(i, j))) * 1e4) / 1e4;
      matrix[i * features + j] = value;
      matrix[j * features + i] = value;
    }
  }
  return matrix;
}

type Pair = (i: number, j: number) => number;

function entries(random: Random, kind: "planted" | "uniform", clusterOf: readonly number[]): Pair {
  return (i, j) => {
    if (kind === "uniform") return random.next();
    return (clusterOf[i] === clusterOf[j] ? 0.65 : 0.25) + 0.5 * (random.next() - 0.5);
  };
}

function embedded(random: Random, clusterOf: readonly number[]): Pair {
  const features = clusterOf.length;
  const sums = new Float64Array(features * features);
  const pulls = clusterOf.map(() => 0.3 + 1.4 * random.next());
  const biases = clusterOf.map(() => 0.8 * random.next());
  for (let sample = 0; sample < SAMPLES; sample++) {
    const vector = () => Float64Array.from({ length: DIMENSIONS }, () => nearlyNormal(random));
    const shared = vector();
    const centres = Array.from({ length: Math.max(...clusterOf) + 1 }, vector);
    const units = clusterOf.map((cluster, i) => {
      const [pull, bias] = [pulls[i] as number, biases[i] as number];
      const centre = centres[cluster] as Float64Array;
      const sum = vector().map((own, k) => own + pull * (centre[k] as number) + bias * (shared[k] as number));
      const length = Math.sqrt(sum.reduce((squares, element) => squares + element ** 2, 0));
      return sum.map((element) => element / length);
    });
    for (let i = 0; i < features; i++) {
      for (let j = 0; j < i; j++) {
        const cosine = units[i]?.reduce((sum, element, k) => sum + element * (units[j]?.[k] as number), 0) as number;
        sums[i * features + j] = (sums[i * features + j] as number) + Math.abs(cosine);
      }
    }
  }
  return (i, j) => (sums[i * features + j] as number) / SAMPLES;
}
