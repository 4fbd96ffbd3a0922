import { growth, logRatio } from "./power-law.js";

/** B_2j / (2j)! for j = 1 … 6, with Bernoulli's numbers B. */
const EULER_MACLAURIN = [1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000];

/** Shorter sums are added up term by term. */
const DIRECT_TERMS = 16;

/**
 * Σ over k = 0 … terms−1 of ((start + k) / start)^−exponent, for start > 0 and exponent ≥ 0: the first term is 1.
 *
 * Terms are added one by one until start + k ≥ 4·exponent + 64, or until what follows is below 2^−60 of the sum; the
 * rest is Euler–Maclaurin's formula with six corrections. The terms are completely monotone, so the error is below the
 * first correction left out, which is below 2e-19 of the sum there: the result is right to rounding, about 1e-14.
 */
export function powerSum(start: number, terms: number, exponent: number): number {
  if (exponent === 0) return terms;
  let sum = 0;
  let k = 0;
  const far = 4 * exponent + 64;
  while (k < terms && (start + k < far || terms - k <= DIRECT_TERMS)) {
    const term = Math.exp(-exponent * Math.log1p(k / start));
    sum += term;
    k++;
    // Each further term is at most `next` times the one before, so the rest is below a geometric series.
    const next = Math.exp(-exponent * Math.log1p(1 / (start + k)));
    const rest = Math.min(terms - k, 1 / (1 - next));
    if (term * rest < sum * 2 ** -60) return sum;
  }
  if (k === terms) return sum;
  return sum + eulerMaclaurin(start + k, start + terms - 1, exponent, Math.exp(-exponent * Math.log1p(k / start)));
}

/** The same sum over [first, last] with the value `scale` at `first`. */
function eulerMaclaurin(first: number, last: number, exponent: number, scale: number): number {
  const log = logRatio(first, last);
  const lastTerm = Math.exp(-exponent * log);
  let corrections = (1 + lastTerm) / 2;
  // −f'(x) = exponent·f/x; each further pair of derivatives multiplies by (exponent + i)(exponent + i + 1)/x².
  let atFirst = exponent / first;
  let atLast = (exponent / last) * lastTerm;
  for (const [j, coefficient] of EULER_MACLAURIN.entries()) {
    corrections += coefficient * (atFirst - atLast);
    const rising = (exponent + 2 * j + 1) * (exponent + 2 * j + 2);
    atFirst *= rising / first ** 2;
    atLast *= rising / last ** 2;
  }
  return scale * (first * growth(1 - exponent, log) + corrections);
}
