import { greatestCommonDivisor, Rational } from "../exact/rational.js";
import type { View } from "./view.js";

/** Where only integer columns have costs, every objective is `offset + k·step` for an integer k. */
export interface Lattice {
  readonly offset: Rational;
  readonly step: Rational;
}

/** The lattice of a view's objective, `null` when a continuous column has a cost or nothing has one. */
export function objectiveLattice(view: View): Lattice | null {
  const { columns, coefficients, denominator } = view.objective;
  if (columns.some((j) => view.integer[j] !== true)) return null;
  const divisor = coefficients.reduce(greatestCommonDivisor, 0n);
  return divisor === 0n ? null : { offset: view.constant, step: Rational.of(divisor, denominator) };
}

/** The least number of the lattice that is at least `bound`: as good a bound (a Chvátal–Gomory rounding). */
export function roundUp(bound: Rational, { offset, step }: Lattice): Rational {
  return offset.add(step.multiply(Rational.of(bound.subtract(offset).divide(step).ceil())));
}
