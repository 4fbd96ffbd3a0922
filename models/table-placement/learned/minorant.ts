import type { NeuralHead } from "./head.js";
import type { UnitRange } from "./unit-range.js";

/** A linear function of what is on a device, nowhere above the head: numbers are in units of 2^−bits / denominator. */
export interface Minorant {
  readonly constant: bigint;
  /** By part. */
  readonly slopes: readonly bigint[];
  readonly bits: bigint;
}

const BITS = 30n;

/**
 * A linear function below the head where the inputs of ReLUs are in their ranges: a ReLU that makes the device dearer is its input
 * where `isOn` says so, and 0 elsewhere; one that makes it cheaper is its chord.
 */
export function minorantOf(
  { constant, units }: NeuralHead,
  ranges: readonly UnitRange[],
  isOn: readonly boolean[],
): Minorant {
  let fixed = constant << BITS;
  const slopes = new Array<bigint>(units[0]?.slopes.length ?? 0).fill(0n);
  for (const [j, { sign, offset, slopes: own }] of units.entries()) {
    const { least, most } = ranges[j] as UnitRange;
    if (most <= 0n) continue;
    const isOpen = least < 0n;
    if (isOpen && sign > 0n && isOn[j] !== true) continue;
    // s·a + max(−s·least, (1 − s)·most) is nowhere below max(0, a) on the range, whatever s from 0 to 1.
    const one = 1n << BITS;
    const s = isOpen && sign < 0n ? (most << BITS) / (most - least) : one;
    if (s !== one) fixed -= -s * least > (one - s) * most ? -s * least : (one - s) * most;
    fixed += sign * s * offset;
    for (const [p, slope] of own.entries()) slopes[p] = (slopes[p] as bigint) + sign * s * slope;
  }
  return { constant: fixed, slopes, bits: BITS };
}
