import { LIMIT, type Observation, weightedSum } from "./observation.js";

/** What sums of some ten thousand doubles may be off by, in relation to the sum. */
const ROUNDING = 1e-12;

/** A reading can tell a number from one so many times as large, and as small; otherwise there are too few samples. */
const TOLD_FACTOR = 1.5;

/** A number of lookups with what is certain beside it. */
export interface Sum {
  /** What is certain, beside the lookups. */
  readonly constant?: number;
  /** One per load. */
  readonly weights: readonly number[];
}

/** What the plan has a number for: a sum of lookups, the ratio of two, or the largest of several. */
export type Measured = { readonly predicted: number } & (
  | Sum
  | { readonly weights: readonly number[]; readonly over: readonly number[] }
  | { readonly largestOf: readonly Sum[] }
);

/**
 * - `agrees`: within the limit, and a number half as large again, or smaller by as much, would not be;
 * - `differs`: beyond the limit;
 * - `too few`: within the limit, and so would be such another number, or there are too few samples of a log for a limit;
 * - `none seen`: a share of lookups of which there was none.
 */
export type Reading = "agrees" | "differs" | "too few" | "none seen";

export interface Deviation {
  readonly predicted: number;
  /** `null`: a share of lookups of which there was none. */
  readonly observed: number | null;
  /** Of the observed mean; 0 where nothing is left to chance. */
  readonly standardError: number;
  /**
   * How many standard errors more was observed than predicted, with an allowance for few lookups (see `deviationOf`):
   * beyond ±4 in at most 2·e^−8 of all cases where the plan is right. `null` where nothing is left to chance.
   */
  readonly z: number | null;
  readonly reading: Reading;
  /** Whether it does not differ. */
  readonly within: boolean;
}

/** How far an observation is from a number. */
interface Score {
  /** Above 0 where more was seen; infinite where nothing is left to chance, 0 where the two are equal but for rounding. */
  readonly z: number;
  readonly standardError: number;
  /** Whether nothing is left to chance, or less than is lost in the rounding of doubles. */
  readonly isExact: boolean;
}

/**
 * Compares an observed mean with the plan's number. With σ the standard error, w the most that one lookup changes the
 * mean by and d the difference, z = d / √(σ² + w·|d|/3): d/σ where many lookups are seen, less where few are, and |z| > 4
 * has a probability of at most 2·e^−8 however few there are (Bernstein's inequality for sums of independent lookups).
 *
 * A share a/b is compared as the sum A − (a/b)·B, which is linear in the lookups and has the mean 0 if the plan is right:
 * its standard error is not estimated from the lookups that it judges. The largest of several sums has the plan's number
 * as its mean in one of them, and at least none of a larger mean: so the largest z counts.
 */
export function deviationOf(measured: Measured, observation: Observation): Deviation {
  const { predicted } = measured;
  const observed = observedOf(measured, observation);
  if (observed === null) {
    return { predicted, observed, standardError: 0, z: null, reading: "none seen", within: true };
  }
  const score = scoreOf(measured, predicted, observation);
  const reading =
    score.isExact || observation.tells
      ? readingOf(score, (value) => scoreOf(measured, value, observation), predicted)
      : "too few";
  return {
    ...{ predicted, observed, standardError: score.standardError },
    z: score.isExact ? null : score.z,
    reading,
    within: reading !== "differs",
  };
}

function readingOf({ z, isExact }: Score, scoreAt: (value: number) => Score, predicted: number): Reading {
  if (Math.abs(z) > LIMIT) return "differs";
  if (isExact) return "agrees";
  const others = [predicted * TOLD_FACTOR, predicted / TOLD_FACTOR];
  return others.every((value) => Math.abs(scoreAt(value).z) > LIMIT) ? "agrees" : "too few";
}

function observedOf(measured: Measured, { lookups }: Observation): number | null {
  if ("largestOf" in measured) {
    return Math.max(...measured.largestOf.map(({ constant = 0, weights }) => constant + weightedSum(weights, lookups)));
  }
  const sum = weightedSum(measured.weights, lookups);
  if (!("over" in measured)) return (measured.constant ?? 0) + sum;
  const base = weightedSum(measured.over, lookups);
  return base === 0 ? null : sum / base;
}

/** How far what was seen is from a number that the plan might have. */
function scoreOf(measured: Measured, value: number, observation: Observation): Score {
  if ("largestOf" in measured) {
    const scores = measured.largestOf.map((sum) => scoreOf({ predicted: value, ...sum }, value, observation));
    return scores.reduce((most, score) => (score.z > most.z ? score : most));
  }
  const { lookups } = observation;
  const sum = weightedSum(measured.weights, lookups);
  if (!("over" in measured)) {
    const observed = (measured.constant ?? 0) + sum;
    const rounding = ROUNDING * Math.max(Math.abs(value), Math.abs(observed));
    return score(observed - value, measured.weights, rounding, 1, observation);
  }
  const { weights, over } = measured;
  const base = weightedSum(over, lookups);
  const rounding = ROUNDING * Math.max(Math.abs(sum), Math.abs(value * base));
  const rest = weights.map((weight, index) => weight - value * (over[index] as number));
  return score(sum - value * base, rest, rounding, base, observation);
}

/** `scale` is what the sum is divided by where its standard error is shown. */
function score(
  difference: number,
  weights: readonly number[],
  rounding: number,
  scale: number,
  observation: Observation,
): Score {
  const deviation = observation.standardError(weights);
  const distance = Math.max(0, Math.abs(difference) - rounding);
  const isExact = deviation <= rounding;
  const step = observation.step * Math.max(0, ...weights.map(Math.abs));
  const spread = Math.sqrt(deviation ** 2 + (step * distance) / 3);
  const z = distance === 0 ? 0 : (Math.sign(difference) * distance) / spread;
  return { z, standardError: deviation / scale, isExact };
}
