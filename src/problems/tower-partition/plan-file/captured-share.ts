import { Rational } from "../../../exact/rational.js";
import type { Grouping } from "../../../program/grouping/grouping.js";

/**
 * The expected value of a partition drawn at random, sizes differing by at most one, loads left out of account: E[W] =
 * Σ n_t(n_t − 1)/2 · mean of the pairs where these count whole, E[Q] = (F − T)/2 · their mean where they count by
 * 1/size.
 * `null` where there are more towers than features.
 */
export function randomValue({ elements, clusters, pairs, share }: Grouping): Rational | null {
  if (clusters > elements.length) return null;
  const whole = (value: number) => Rational.of(BigInt(value));
  if (pairs.length === 0) return Rational.zero;
  const least = Math.floor(elements.length / clusters);
  const larger = elements.length - least * clusters;
  const pairsInside = (larger * (least + 1) * least + (clusters - larger) * least * (least - 1)) / 2;
  const weight = share === "whole" ? whole(pairsInside) : whole(elements.length - clusters).divide(whole(2));
  const sum = pairs.reduce((total, pair) => total.add(pair), Rational.zero);
  return sum.multiply(weight).divide(whole(pairs.length));
}

/** The two ends of the scale on which a partition is measured. */
export interface CaptureScale {
  readonly random: Rational | null;
  /** The optimum, or a bound in its place; `null` where none is known. */
  readonly optimum: Rational | null;
}

/**
 * (random − value) / (random − optimum); `null` without one of them, and where the optimum is no better than random.
 */
export function capturedShare(value: Rational | null, { random, optimum }: CaptureScale): number | null {
  if (value === null || random === null || optimum === null) return null;
  const whole = random.subtract(optimum);
  return whole.sign() <= 0 ? null : random.subtract(value).divide(whole).toNumber();
}
