import { LIMIT } from "./limit.js";

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
