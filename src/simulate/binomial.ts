import type { Random } from "../exact/random.js";

/** Below this mean the cumulative probabilities are searched, above it the rejection is faster. */
const SEARCHED_MEAN = 10;

/**
 * Draws numbers of successes in `trials` independent trials of probability `probability`, as doubles: whole numbers,
 * to the precision of doubles where they are above 2^53.
 *
 * Small means by inversion (a search of the cumulative probabilities, kept from draw to draw), others by Hörmann's
 * transformed rejection BTRS (W. Hörmann, "The generation of binomial random variates", J. Stat. Comput. Simul. 46,
 * 1993). No normal approximation anywhere: both have the binomial distribution up to the rounding of doubles and the
 * 53 bits of a uniform number.
 */
export class Binomial {
  readonly #trials: number;
  /** More than half: failures are drawn instead. */
  readonly #flipped: boolean;
  readonly #method: { draw(random: Random): number };

  /** `trials` is a whole number of any size, `probability` is in [0, 1]; otherwise throws `RangeError`. */
  constructor(trials: number, probability: number) {
    if (!(trials >= 0 && Number.isInteger(trials) && probability >= 0 && probability <= 1)) {
      throw new RangeError(`there is no binomial distribution of ${trials} trials of probability ${probability}`);
    }
    this.#trials = trials;
    this.#flipped = probability > 0.5;
    const p = this.#flipped ? 1 - probability : probability;
    this.#method = trials * p < SEARCHED_MEAN ? new Inversion(trials, p) : new Rejection(trials, p);
  }

  draw(random: Random): number {
    const drawn = this.#method.draw(random);
    return this.#flipped ? this.#trials - drawn : drawn;
  }
}

/** A double in [0, 1) with 53 random bits. */
export function uniform(random: Random): number {
  return random.next() + Math.floor(random.next() * 2 ** 21) * 2 ** -53;
}

class Inversion {
  readonly #trials: number;
  readonly #odds: number;
  readonly #cumulative: number[];
  #mass: number;

  constructor(trials: number, p: number) {
    this.#trials = trials;
    this.#odds = p / (1 - p);
    this.#mass = Math.exp(trials * Math.log1p(-p));
    this.#cumulative = [this.#mass];
  }

  draw(random: Random): number {
    const wanted = uniform(random);
    let successes = 0;
    while (wanted >= (this.#cumulative[successes] as number)) {
      // The probabilities may add up to a little less than 1; what is left belongs to the last success that has any.
      if (successes + 1 === this.#cumulative.length && !this.#extend()) break;
      successes++;
    }
    return successes;
  }

  #extend(): boolean {
    const successes = this.#cumulative.length;
    if (successes > this.#trials) return false;
    const mass = (this.#mass * this.#odds * (this.#trials - successes + 1)) / successes;
    const sum = (this.#cumulative.at(-1) as number) + mass;
    if (sum === this.#cumulative.at(-1)) return false;
    this.#mass = mass;
    this.#cumulative.push(sum);
    return true;
  }
}

/** BTRS, by the paper's names. */
class Rejection {
  readonly #n: number;
  readonly #p: number;
  readonly #a: number;
  readonly #b: number;
  readonly #c: number;
  readonly #vr: number;
  readonly #alpha: number;
  readonly #modeLog: number;

  constructor(n: number, p: number) {
    const deviation = Math.sqrt(n * p * (1 - p));
    this.#n = n;
    this.#p = p;
    this.#b = 1.15 + 2.53 * deviation;
    this.#a = -0.0873 + 0.0248 * this.#b + 0.01 * p;
    this.#c = n * p + 0.5;
    this.#vr = 0.92 - 4.2 / this.#b;
    this.#alpha = (2.83 + 5.1 / this.#b) * deviation;
    this.#modeLog = logProbability(Math.floor((n + 1) * p), n, p);
  }

  draw(random: Random): number {
    for (;;) {
      const u = uniform(random) - 0.5;
      const v = uniform(random);
      const us = 0.5 - Math.abs(u);
      const k = Math.floor(((2 * this.#a) / us + this.#b) * u + this.#c);
      if (us >= 0.07 && v <= this.#vr) return k;
      if (!(k >= 0 && k <= this.#n)) continue;
      const height = Math.log((v * this.#alpha) / (this.#a / (us * us) + this.#b));
      if (height <= logProbability(k, this.#n, this.#p) - this.#modeLog) return k;
    }
  }
}

/**
 * Logarithm of the probability of k successes in n trials, accurate for n of any size: C. Loader's saddle-point form
 * ("Fast and accurate computation of binomial probabilities", 2000), in which nothing large cancels. 0 < p < 1.
 */
export function logProbability(k: number, n: number, p: number): number {
  if (k === 0) return n * Math.log1p(-p);
  if (k === n) return n * Math.log(p);
  return (
    stirlingError(n) -
    stirlingError(k) -
    stirlingError(n - k) -
    deviance(k, n * p) -
    deviance(n - k, n * (1 - p)) +
    0.5 * Math.log(n / (2 * Math.PI * k * (n - k)))
  );
}

/** ln n! minus Stirling's formula, for whole n ≥ 1. */
function stirlingError(n: number): number {
  if (n > 15) {
    const square = n * n;
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / n;
  }
  let logFactorial = 0;
  for (let factor = 2; factor <= n; factor++) logFactorial += Math.log(factor);
  return logFactorial - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(2 * Math.PI);
}

/** x·ln(x/mean) + mean − x, by its series where x is near the mean. */
function deviance(x: number, mean: number): number {
  if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
  const ratio = (x - mean) / (x + mean);
  let sum = (x - mean) * ratio;
  let term = 2 * x * ratio;
  for (let j = 3; ; j += 2) {
    term *= ratio * ratio;
    const next = sum + term / j;
    if (next === sum) return sum;
    sum = next;
  }
}
