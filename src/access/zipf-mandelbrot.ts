import type { ZipfMandelbrotAccess } from "../instance/access.js";
import { SINGLE_ROWS } from "./grid.js";
import { growth, logRatio } from "./power-law.js";
import { type RowClasses, RowClassesBuilder } from "./row-classes.js";

/** Largest relative difference between the rows of one class. */
export const CLASS_SPREAD = 1e-3;

/** Rows at the end that together take less than this part of all accesses are one class. */
const NEGLIGIBLE = 2 ** -53;

/**
 * p_r = min(1, c·(r + shift)^−exponent) for r = 1 … rows, with the c that makes Σ p_r = meanLength.
 *
 * Classes are as long as the law allows for p to fall by at most {@link CLASS_SPREAD} within one, so every p_r is
 * within that of the mean that stands for it (the rows of the last class excepted, when together they take less than
 * 2^−53 of the accesses); the first thousand rows below 1 are alone. Appearances add up to meanLength within 1e-12.
 */
export function zipfMandelbrotClasses(access: ZipfMandelbrotAccess, rows: number): RowClasses {
  const { meanLength, exponent, shift } = access;
  const classes = new RowClassesBuilder();
  const capped = cappedRows(access, rows);
  classes.add(capped, 1);
  if (capped === rows) return classes.build();

  // Everything relative to the first row below 1: c itself may leave the range of doubles.
  const first = capped + 1 + shift;
  const all = powerSum(first, rows - capped, exponent);
  const counts: number[] = [];
  const sums: number[] = [];
  let added = 0;
  for (let done = capped; done < rows; ) {
    const start = done + 1 + shift;
    const scale = Math.exp(-exponent * Math.log1p((done - capped) / first));
    const left = rows - done;
    const isNegligible = scale * left <= NEGLIGIBLE * all;
    const alike = exponent === 0 ? left : Math.floor(start * Math.expm1(Math.log1p(CLASS_SPREAD) / exponent));
    const count = isNegligible
      ? left
      : done - capped < SINGLE_ROWS && exponent > 0
        ? 1
        : Math.max(1, Math.min(left, alike + 1));
    counts.push(count);
    sums.push(scale * powerSum(start, count, exponent));
    added += sums.at(-1) as number;
    done += count;
  }
  // `added` is `all` up to rounding; dividing by it makes the total right.
  for (const [index, count] of counts.entries()) {
    classes.add(count, (meanLength - capped) * ((sums[index] as number) / added / count));
  }
  return classes.build();
}

/**
 * The number of rows that reach 1. Row m + 1 stays below 1 when the m before it are capped, or it does not; once it does,
 * it does for every larger m: a binary search finds the smallest such m.
 */
function cappedRows({ meanLength, exponent, shift }: ZipfMandelbrotAccess, rows: number): number {
  if (meanLength >= rows) return rows;
  let low = 0;
  let high = Math.floor(meanLength);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const largest = (meanLength - middle) / powerSum(middle + 1 + shift, rows - middle, exponent);
    if (largest <= 1) high = middle;
    else low = middle + 1;
  }
  return low;
}

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
