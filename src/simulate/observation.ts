import { LIMIT } from "./limit.js";
import { studentLimit } from "./student.js";

/** What was seen of the lookups: per load, in one iteration. A sum of lookups is given by one weight per load. */
export interface Observation {
  /** Mean lookups of each load in one iteration. */
  readonly lookups: readonly number[];
  /** Lookups that one seen lookup stands for: the smallest step in which a mean can differ. */
  readonly step: number;
  /** Whether there are samples enough for their standard errors to be believed. */
  readonly tells: boolean;
  /**
   * Of the mean of a weighted sum of the loads' lookups: {@link LIMIT} of them are exceeded as seldom as those of a known
   * standard error, also where this one is an estimate.
   */
  standardError(weights: readonly number[]): number;
}

/**
 * Fewer samples of a log than this tell nothing: lookups of real samples come in clusters, of which so few may show none.
 */
export const MIN_SAMPLES = 30;

export function weightedSum(weights: readonly number[], values: readonly number[]): number {
  return weights.reduce((sum, weight, index) => (weight === 0 ? sum : sum + weight * (values[index] as number)), 0);
}

/** Loads that do not depend on one another, with the variance of each mean. */
export function independentLoads(lookups: readonly number[], variances: readonly number[], step: number): Observation {
  return {
    lookups,
    step,
    tells: true,
    standardError: (weights) => Math.sqrt(independentVariance(weights, variances)),
  };
}

function independentVariance(weights: readonly number[], variances: readonly number[]): number {
  return weights.reduce(
    (sum, weight, index) => sum + (weight === 0 ? 0 : weight ** 2 * (variances[index] as number)),
    0,
  );
}

/**
 * Means and covariances of the loads' lookups in one sample, collected sample by sample (B. P. Welford's recurrences,
 * Technometrics 4, 1962).
 */
export class SampleMoments {
  readonly #means: number[];
  /** Sums of products of deviations, row by row. */
  readonly #products: Float64Array;
  #samples = 0;

  constructor(loads: number) {
    this.#means = Array.from({ length: loads }, () => 0);
    this.#products = new Float64Array(loads * loads);
  }

  get samples(): number {
    return this.#samples;
  }

  add(lookups: ArrayLike<number>): void {
    const size = this.#means.length;
    const before = this.#means.map((mean, index) => (lookups[index] as number) - mean);
    this.#samples++;
    for (let i = 0; i < size; i++) this.#means[i] = (this.#means[i] as number) + (before[i] as number) / this.#samples;
    for (let i = 0; i < size; i++) {
      const after = (lookups[i] as number) - (this.#means[i] as number);
      for (let j = 0; j < size; j++) {
        const entry = i * size + j;
        this.#products[entry] = (this.#products[entry] as number) + after * (before[j] as number);
      }
    }
  }

  /**
   * What an iteration of `perIteration` samples like these would see; the samples are taken as independent.
   *
   * The standard error is the larger of two: the samples' own, an estimate and so by Student's distribution, and that of
   * independent lookups (`variances`: of each load, in one sample), which is known. Few samples can be more alike than
   * what they are drawn from is; and lookups of real samples come in clusters.
   */
  observation(perIteration: number, variances: readonly number[]): Observation {
    const size = this.#means.length;
    const atLeast = perIteration ** 2 / this.#samples;
    const allowance = studentLimit(Math.max(1, this.#samples - 1)) / LIMIT;
    // Of the mean of an iteration: scaled from one sample, over the number of samples seen.
    const factor = perIteration ** 2 / (Math.max(1, this.#samples - 1) * this.#samples);
    return {
      lookups: this.#means.map((mean) => mean * perIteration),
      step: perIteration / this.#samples,
      tells: this.#samples >= MIN_SAMPLES,
      standardError: (weights) => {
        let sum = 0;
        for (let i = 0; i < size; i++) {
          for (let j = 0; j < size; j++) {
            sum += (weights[i] as number) * (weights[j] as number) * (this.#products[i * size + j] as number);
          }
        }
        const estimated = Math.sqrt(Math.max(0, sum * factor));
        return Math.max(estimated * allowance, Math.sqrt(independentVariance(weights, variances) * atLeast));
      },
    };
  }
}
