import type { Room } from "../core/pattern-lp.js";
import { Mixture } from "./mixture.js";

/** What a device has of cost and memory, all finite: the sides of a pattern's constraints. */
export interface Budget extends Room {
  readonly host: number;
}

/** Prices per unit of cost, device memory and host memory. */
export type Weights = Readonly<Budget>;

/** Parts as flat arrays: those of choice c are at `starts[c]` … `starts[c + 1] − 1`. */
export interface FlatParts {
  readonly starts: Int32Array;
  readonly value: Float64Array;
  readonly cost: Float64Array;
  readonly hbm: Float64Array;
  readonly host: Float64Array;
}

/** The best part of each choice at some weights, with the value left, where that is not below zero. */
function eachBest(
  { starts, value, cost, hbm, host }: FlatParts,
  weights: Weights,
  take: (left: number, part: number) => void,
): void {
  for (let c = 0; c + 1 < starts.length; c++) {
    let best = 0;
    let at = -1;
    for (let k = starts[c] as number; k < (starts[c + 1] as number); k++) {
      const left =
        (value[k] as number) -
        weights.cost * (cost[k] as number) -
        weights.hbm * (hbm[k] as number) -
        weights.host * (host[k] as number);
      if (left <= best) continue;
      best = left;
      at = k;
    }
    if (at !== -1) take(best, at);
  }
}

/** The Lagrangian bound of the best pattern: Σ weight·budget + Σ_choices max(0, max over parts of the value left). */
export function lagrangianValue(parts: FlatParts, budget: Budget, weights: Weights): number {
  let sum = weights.cost * budget.cost + weights.hbm * budget.hbm + weights.host * budget.host;
  eachBest(parts, weights, (left) => {
    sum += left;
  });
  return sum;
}

/** Relative precision of the bound that weights are good for. */
export const FINE = 1e-9;
export const COARSE = 1e-2;

/** Cuts after which the best weights so far must do. */
const MAX_CUTS = 60;

/**
 * Weights of about the least Lagrangian bound, by cutting planes (Kelley 1960) in the dual: the bound is the greatest
 * of planes, one for each choice of parts, and the master takes a mixture of such choices that keeps the budget and is
 * worth most. `precision` is relative.
 */
export function bestWeights(parts: FlatParts, budget: Budget, precision = FINE): Weights {
  const scales = KINDS.map((kind) => Math.max(budget[kind], Number.MIN_VALUE)) as [number, number, number];
  const mixture = new Mixture();
  let best: Weights = { cost: 0, hbm: 0, host: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let cut = 0; cut < MAX_CUTS; cut++) {
    const { worths } = mixture;
    const weights = { cost: 0, hbm: 0, host: 0 };
    KINDS.forEach((kind, r) => {
      weights[kind] = Math.max(0, worths[r] as number) / (scales[r] as number);
    });
    const plane = planeAt(parts, budget, weights);
    if (plane.bound < least) {
      least = plane.bound;
      best = weights;
    }
    // The mixture is worth as much: no weights have a smaller bound.
    if (least + mixture.cost <= precision * least) break;
    // In shares of the budget.
    const [cost, hbm, host] = scales;
    if (!mixture.add(-plane.value, [plane.cost / cost, plane.hbm / hbm, plane.host / host])) break;
  }
  return best;
}

const KINDS = ["cost", "hbm", "host"] as const;

/** The best part of each choice at some weights: what they use and are worth together. */
function planeAt(parts: FlatParts, budget: Budget, weights: Weights): Budget & { value: number; bound: number } {
  const sum = { cost: 0, hbm: 0, host: 0, value: 0 };
  let left = 0;
  eachBest(parts, weights, (best, at) => {
    left += best;
    for (const kind of [...KINDS, "value"] as const) sum[kind] += parts[kind][at] as number;
  });
  const bound = KINDS.reduce((total, kind) => total + weights[kind] * budget[kind], left);
  return { ...sum, bound };
}
