import { greatestCommonDivisor, Rational } from "../exact/rational.js";
import type { LinearForm } from "../program/program.js";
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

/** `null` where a continuous column is in the form (as `formLattice` is). A form of one value has the step 0, and no Z. */
export function integralPart(form: LinearForm, view: View): IntegralPart | null {
  const { columns, denominator } = form;
  const present = new Map<number, number>();
  for (const j of columns) {
    if (view.integer[j] !== true) return null;
    const g = view.groupOf[j] as number;
    if (g !== -1) present.set(g, (present.get(g) ?? 0) + 1);
  }
  const commonOf = new Map<number, bigint>();
  const commons: { member: number; common: Rational }[] = [];
  const differences = form.coefficients.map((coefficient, k) => {
    const g = view.groupOf[columns[k] as number] as number;
    if (g === -1) return coefficient;
    let common = commonOf.get(g);
    if (common === undefined) {
      common = present.get(g) === view.groups[g]?.members.length ? coefficient : 0n;
      commonOf.set(g, common);
      const member = view.columns[columns[k] as number] as number;
      if (common !== 0n) commons.push({ member, common: Rational.of(common, denominator) });
    }
    return coefficient - common;
  });
  const step = differences.reduce(greatestCommonDivisor, 0n);
  const coefficients = new Map<number, Rational>();
  differences.forEach((difference, k) => {
    if (difference !== 0n) {
      coefficients.set(view.columns[columns[k] as number] as number, Rational.of(difference / step));
    }
  });
  return { coefficients, step: Rational.of(step, denominator), commons };
}
