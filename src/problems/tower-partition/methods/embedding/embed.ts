import type { Random } from "../../../../exact/random.js";
import { classical } from "./classical.js";
import { adam, smacof, stress } from "./stress.js";

/** Ways to find coordinates for a distance matrix (multidimensional scaling). */
export const EMBEDDING_METHODS = ["adam", "smacof", "classical"] as const;
export type EmbeddingMethod = (typeof EMBEDDING_METHODS)[number];

/** Features as points. */
export interface Embedding {
  /** F points by rows, F × dimensions. */
  readonly coordinates: Float64Array;
  readonly dimensions: number;
  /** Σ_{i>j} (‖X_i − X_j‖ − D_ij)², of these coordinates (DMT, section 3.3). */
  readonly stress: number;
}

export interface EmbeddingOptions {
  readonly method: EmbeddingMethod;
  readonly dimensions: number;
  readonly random: Random;
  /** `pairs`: of points, looked at since it was last asked. */
  readonly shouldStop?: (pairs?: number) => boolean;
}

/** Distances (F(F−1)/2 of them) times starts of one embedding: about a second of Adam. */
const WORK = 200_000;

/** Starts where there are few features. */
const STARTS = 60;

/**
 * Coordinates whose distances are near those of `distance` (F × F by rows, symmetric, zero on the diagonal).
 *
 * - `adam`: the least stress of 60 random starts, as published up to their number, which the paper does not give;
 *   of fewer, down to one, for more than 82 features.
 * - `smacof`: the least stress of as many starts of SMACOF, the first one classical scaling.
 * - `classical`: classical scaling alone, which minimises another function.
 *
 * Once told to stop, the best start so far; the first one is cut short.
 */
export function embed(distance: Float64Array, { method, dimensions, random, shouldStop }: EmbeddingOptions): Embedding {
  const points = Math.sqrt(distance.length);
  if (method === "classical") return made(distance, classical(distance, dimensions), dimensions);
  const starts = Math.max(1, Math.min(STARTS, Math.floor((2 * WORK) / (points * Math.max(1, points - 1)))));
  let best: Embedding | null = null;
  for (let start = 0; best === null || (start < starts && shouldStop?.() !== true); start++) {
    const isClassical = method === "smacof" && start === 0;
    const first = isClassical ? classical(distance, dimensions) : randomPoints(points, dimensions, random);
    const descend = method === "adam" ? adam : smacof;
    const found = made(distance, descend(distance, first, shouldStop), dimensions);
    if (best === null || found.stress < best.stress) best = found;
  }
  return best;
}

/** Points drawn evenly from [−½, ½) in every dimension. */
export function randomPoints(points: number, dimensions: number, random: Random): Float64Array {
  return Float64Array.from({ length: points * dimensions }, () => random.next() - 0.5);
}

function made(distance: Float64Array, coordinates: Float64Array, dimensions: number): Embedding {
  return { coordinates, dimensions, stress: stress(distance, coordinates) };
}
