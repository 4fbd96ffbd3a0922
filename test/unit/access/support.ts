import type { RowClasses } from "../../../src/access/row-classes.js";

/** Σ values with Neumaier's compensation. */
export function exactSum(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** Expected appearances of all rows in one sample. */
export function totalAppearances({ rows, appearances }: RowClasses): number {
  return exactSum(Array.from(rows, (count, index) => count * (appearances[index] as number)));
}

/** Expected appearances of the hottest `rank` rows; within a class its rows are alike. */
export function appearancesUpTo({ rows, appearances }: RowClasses, rank: number): number {
  const parts: number[] = [];
  let left = rank;
  for (let index = 0; index < rows.length && left > 0; index++) {
    const count = Math.min(left, rows[index] as number);
    parts.push(count * (appearances[index] as number));
    left -= count;
  }
  return exactSum(parts);
}

/** What every `RowClasses` promises, as a list of what is broken. */
export function brokenPromises({ rows, appearances }: RowClasses, tableRows: number): string[] {
  const broken: string[] = [];
  if (rows.length !== appearances.length) broken.push("lengths differ");
  if (rows.reduce((sum, count) => sum + count, 0) !== tableRows) broken.push("rows do not add up");
  for (const [index, count] of rows.entries()) {
    const here = appearances[index] as number;
    const before = index === 0 ? Infinity : (appearances[index - 1] as number);
    if (!(Number.isSafeInteger(count) && count > 0)) broken.push(`class ${index} has ${count} rows`);
    if (!(here >= 0 && here < before)) broken.push(`class ${index} has ${here} after ${before}`);
  }
  return broken;
}
