import type { ZipfMandelbrotAccess } from "../instance/access.js";
import { SINGLE_ROWS } from "./grid.js";
import { powerSum } from "./power-sum.js";
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
