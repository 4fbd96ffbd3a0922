import { type Observation, weightedSum } from "./observation.js";

/** Standard errors beyond which an observation is not what the plan says. */
export const LIMIT = 4;

/** What sums of some ten thousand doubles may be off by, in relation to the sum. */
const ROUNDING = 1e-12;

/** A sum of lookups, or the ratio of two, that the plan has a number for. */
export interface Measured {
  readonly predicted: number;
  /** What is certain, beside the lookups. */
  readonly constant?: number;
  /** One per load. */
  readonly weights: readonly number[];
  /** Weights of a sum to divide by. */
  readonly over?: readonly number[];
}

export interface Deviation {
  readonly predicted: number;
  readonly observed: number;
  readonly standardError: number;
  readonly z: number | null;
  readonly within: boolean;
}

/**
 * Compares an observed mean with the plan's number: within {@link LIMIT} standard errors σ of it, with the allowance
 * that Bernstein's inequality makes where few lookups were seen. For a mean of independent lookups, of which none
 * changes it by more than w, the limit t = 8w/3 + √(64w²/9 + 16σ²) is exceeded with a probability of at most 2·e^−8;
 * where many are seen, w is small beside σ and t is 4σ.
 *
 * The standard error of a ratio A/B is that of (A − (a/b)·B)/b, to the first order.
 */
export function deviationOf({ predicted, constant = 0, weights, over }: Measured, observation: Observation): Deviation {
  const sum = weightedSum(weights, observation.lookups);
  const base = over === undefined ? 1 : weightedSum(over, observation.lookups);
  const observed = constant + (base === 0 ? 0 : sum / base);
  const slopes =
    over === undefined || base === 0
      ? weights
      : weights.map((weight, index) => (weight - (sum / base) * (over[index] as number)) / base);
  const step = observation.step * Math.max(0, ...slopes.map(Math.abs));
  let variance = observation.variance(slopes);
  // A log without a single such lookup says nothing of their variance: then that of rare events, as predicted.
  if (observation.estimated && sum === 0) variance = Math.max(0, predicted - constant) * step;
  const standardError = Math.sqrt(variance);
  const chance = (8 / 3) * step + Math.sqrt((64 / 9) * step ** 2 + LIMIT ** 2 * variance);
  const rounding = ROUNDING * Math.max(Math.abs(predicted), Math.abs(observed));
  const limit = (variance === 0 ? 0 : chance) + rounding;
  return {
    predicted,
    observed,
    standardError,
    z: standardError <= rounding ? null : (observed - predicted) / standardError,
    within: Math.abs(observed - predicted) <= limit,
  };
}
