import type { TowerProblem } from "../../../../../models/tower-partition/problem.js";
import { sizeWindows } from "../../../../../models/tower-partition/size-windows.js";
import { type Random, seededRandom } from "../../../../../src/exact/random.js";

/**
 * What a distance matrix is drawn from: `uniform` noise; `planted` clusters of five with noise; `cosine`: 1 − |cos| of random
 * vectors of eight numbers, which is what interactions are made of.
 */
export const MATRIX_KINDS = ["uniform", "planted", "cosine"] as const;
export type MatrixKind = (typeof MATRIX_KINDS)[number];

/** F × F by rows, symmetric, zero on the diagonal, in [0, 1]. */
export function distanceMatrix(kind: MatrixKind, features: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const entry = entryOf(kind, features, random);
  const distance = new Float64Array(features * features);
  for (let i = 1; i < features; i++) {
    for (let j = 0; j < i; j++) {
      distance[i * features + j] = entry(i, j);
      distance[j * features + i] = distance[i * features + j] as number;
    }
  }
  return distance;
}

function entryOf(kind: MatrixKind, features: number, random: Random): (i: number, j: number) => number {
  if (kind === "uniform") return () => random.next();
  if (kind === "planted") {
    return (i, j) => (Math.floor(i / 5) === Math.floor(j / 5) ? 0.1 : 0.6) + 0.4 * random.next();
  }
  const vectors = Array.from({ length: features }, () => Array.from({ length: 8 }, () => random.next() - 0.5));
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * (b[k] as number), 0);
  return (i, j) => {
    const [a, b] = [vectors[i] as number[], vectors[j] as number[]];
    return 1 - Math.abs(dot(a, b)) / Math.sqrt(dot(a, a) * dot(b, b));
  };
}

export function problemOf(
  distance: Float64Array,
  towers: number,
  {
    ratio = 1,
    objective = "pairwise",
    load = null,
  }: { ratio?: number; objective?: TowerProblem["objective"]; load?: TowerProblem["load"] } = {},
): TowerProblem {
  const count = Math.sqrt(distance.length);
  return {
    features: Array.from({ length: count }, (_, i) => `f${i}`),
    towers,
    objective,
    distance,
    windows: sizeWindows(count, towers, ratio),
    load,
  };
}

/** Points evenly in the unit square, by rows. */
export function randomPlane(points: number, seed: number): { coordinates: Float64Array; dimensions: number } {
  const random = seededRandom(seed);
  return { coordinates: Float64Array.from({ length: 2 * points }, () => random.next()), dimensions: 2 };
}

export function sizesOf(numbering: ArrayLike<number>, groups: number): readonly number[] {
  const sizes = new Array<number>(groups).fill(0);
  for (const group of Array.from(numbering)) sizes[group] = (sizes[group] as number) + 1;
  return sizes;
}

export function loadsOf(numbering: ArrayLike<number>, groups: number, weights: ArrayLike<number>): readonly number[] {
  const loads = new Array<number>(groups).fill(0);
  Array.from(numbering).forEach((group, i) => {
    loads[group] = (loads[group] as number) + (weights[i] as number);
  });
  return loads;
}
