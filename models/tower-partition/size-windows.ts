import { Rational } from "../../src/exact/rational.js";
import type { SizeWindow } from "../../src/program/grouping/grouping.js";

/**
 * The sizes that T towers of F features may have where the largest is at most `ratio` times the smallest: windows
 * [l, ⌊ratio · l⌋], each cut to the sizes that the other towers leave, without those inside another. A ratio of 1 means that
 * sizes differ by at most one: [⌊F/T⌋, ⌈F/T⌉]. The ratio is the decimal number that was written (1.2 is 6/5, not the
 * nearest double). Empty where no sizes fit.
 */
export function sizeWindows(features: number, towers: number, ratio: number): SizeWindow[] {
  if (towers > features) return [];
  if (ratio === 1) return [{ least: Math.floor(features / towers), most: Math.ceil(features / towers) }];
  const exact = Rational.parse(String(ratio));
  const windows: SizeWindow[] = [];
  for (let smallest = 1; towers * smallest <= features; smallest++) {
    // In doubles, exact: beyond the number of features, which is less, it does not count.
    const largest = Math.min(features, Number(exact.multiply(Rational.of(BigInt(smallest), 1n)).floor()));
    if (towers * largest < features) continue;
    windows.push({
      least: Math.max(smallest, features - (towers - 1) * largest),
      most: Math.min(largest, features - (towers - 1) * smallest),
    });
  }
  const isInside = (one: SizeWindow, other: SizeWindow) => other.least <= one.least && one.most <= other.most;
  return windows.filter(
    (window, w) =>
      !windows.some((other, v) => v !== w && isInside(window, other) && (v < w || !isInside(other, window))),
  );
}
