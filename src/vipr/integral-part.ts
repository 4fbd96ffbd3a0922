import { Rational } from "../exact/rational.js";
import type { LinearForm } from "../program/program.js";
import type { FormLattice } from "../proof/kernel/lattice.js";
import type { View } from "../proof/kernel/view.js";
import type { Coefficients } from "./combination.js";

/**
 * A form over the open integer columns of a view as `step · Z + Σ_g common_g · (sum of group g)`, where Z has integer
 * coefficients without a common factor: what makes the lattice of `formLattice` visible as a form that can be rounded.
 */
export interface IntegralPart {
  /** Z, by program column. */
  readonly coefficients: Coefficients;
  readonly step: Rational;
  /** By a program column of the group; zeros left out. */
  readonly commons: readonly { readonly member: number; readonly common: Rational }[];
}

/** A form of one value has the step 0, and no Z. */
export function integralPart(
  { columns, coefficients, denominator }: LinearForm,
  view: View,
  lattice: FormLattice,
): IntegralPart {
  const { step, commons } = lattice;
  const unit = step.multiply(Rational.of(denominator));
  const own = new Map<number, Rational>();
  const members = new Map<number, number>();
  columns.forEach((j, k) => {
    const [g, column] = [view.groupOf[j] as number, view.columns[j] as number];
    const common = commons[g] ?? 0n;
    if (common !== 0n && !members.has(g)) members.set(g, column);
    const difference = (coefficients[k] as bigint) - common;
    if (difference !== 0n) own.set(column, Rational.of(difference).divide(unit));
  });
  const commonOf = (g: number) => Rational.of(commons[g] as bigint, denominator);
  return { coefficients: own, step, commons: [...members].map(([g, member]) => ({ member, common: commonOf(g) })) };
}
