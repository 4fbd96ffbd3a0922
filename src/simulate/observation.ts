/** Standard errors beyond which an observation is not what the plan says. */
export const LIMIT = 4;

/** Probability that a normal number is beyond {@link LIMIT} standard deviations, to either side. */
const BEYOND = 6.334248366623996e-5;

/** From here on the series in 1/ν has all digits that matter. */
const MANY = 300;

/**
 * How many estimated standard errors stand for {@link LIMIT} known ones: the quantile of Student's t-distribution that is
 * exceeded, to either side, as often as a normal number exceeds the limit. `freedom` is a whole number of at least 1: the
 * samples that the standard error was estimated from, less one.
 *
 * Closed forms and series: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3, 26.7.4 and 26.7.5.
 */
export function studentLimit(freedom: number): number {
  if (freedom >= MANY) {
    const z = LIMIT;
    const first = (z ** 3 + z) / 4;
    const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
    const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
    return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
  }
  let [low, high] = [LIMIT, 20_000];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (beyond(middle, freedom) > BEYOND) low = middle;
    else high = middle;
  }
  return high;
}

/** Probability that |t| is larger than this, for ν degrees of freedom. */
function beyond(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < freedom; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    sum += term;
  }
  return isOdd ? 1 - (2 / Math.PI) * (angle + sine * sum) : 1 - sine * sum;
}

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
