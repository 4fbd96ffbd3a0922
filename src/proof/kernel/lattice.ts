import { floorDivide, greatestCommonDivisor, Rational } from "../../exact/rational.js";
import type { LinearForm } from "../../program/program.js";

/** Disjoint sets of columns whose sums are fixed integers. */
export interface Group {
  readonly members: readonly number[];
  readonly total: bigint;
}

/** Every value that a linear form can take is `offset + k·step` for an integer k; with step 0 it is `offset`. */
export interface Lattice {
  readonly offset: Rational;
  readonly step: Rational;
}

/** The lattice of a form, with what all members of a group have in common, by group. */
export interface FormLattice extends Lattice {
  readonly commons: readonly bigint[];
}

/** Which group each column is in (−1: none). */
export function groupIndex(groups: readonly Group[], columnCount: number): Int32Array {
  const index = new Int32Array(columnCount).fill(-1);
  groups.forEach(({ members }, g) => {
    for (const j of members) index[j] = g;
  });
  return index;
}

/**
 * The lattice of a form over integer columns, `null` when a continuous column is in it. Inside a group only differences of coefficients count, because its sum is fixed: what all members have in common goes into
 * the offset.
 */
export function formLattice(
  form: LinearForm,
  integer: readonly boolean[],
  groups: readonly Group[],
  groupOf: Int32Array,
): FormLattice | null {
  const { columns, coefficients, denominator } = form;
  const [common = 0n] = coefficients;
  const whole = wholeGroup(form, groups, groupOf);
  if (whole !== -1) {
    const commons: bigint[] = [];
    commons[whole] = common;
    return { offset: Rational.of(common * (groups[whole] as Group).total, denominator), step: Rational.zero, commons };
  }
  /** Members of each group that the form has. */
  let present: number[] | null = null;
  for (let k = 0; k < columns.length; k++) {
    const j = columns[k] as number;
    if (integer[j] !== true) return null;
    const g = groupOf[j] as number;
    if (g === -1) continue;
    present ??= new Array(groups.length).fill(0);
    present[g] = (present[g] as number) + 1;
  }
  const commons: bigint[] = [];
  let step = 0n;
  let offset = 0n;
  for (let k = 0; k < columns.length; k++) {
    const coefficient = coefficients[k] as bigint;
    const g = groupOf[columns[k] as number] as number;
    let difference = coefficient;
    // A member that is missing from the form has coefficient zero.
    if (g !== -1 && present?.[g] === groups[g]?.members.length) {
      const common = commons[g];
      if (common === undefined) {
        commons[g] = coefficient;
        offset += coefficient * (groups[g] as Group).total;
        continue;
      }
      difference -= common;
    }
    if (step !== 1n && difference !== 0n) step = greatestCommonDivisor(step, difference);
  }
  return { offset: Rational.of(offset, denominator), step: Rational.of(step, denominator), commons };
}

/** The group that a form weighs evenly, such as the row that makes it a group: by far the most common form; −1 for none. */
function wholeGroup({ columns, coefficients }: LinearForm, groups: readonly Group[], groupOf: Int32Array): number {
  const g = groupOf[columns[0] ?? 0] ?? -1;
  if (groups[g]?.members.length !== columns.length) return -1;
  for (let k = 0; k < columns.length; k++) {
    if (groupOf[columns[k] as number] !== g || coefficients[k] !== coefficients[0]) return -1;
  }
  return g;
}

/**
 * The least value of the lattice that is at least `bound`: as good a bound (a Chvátal–Gomory rounding). `null` when there
 * is none, because the form has only one value and it is below.
 */
export function roundUp(bound: Rational, { offset, step }: Lattice): Rational | null {
  if (step.sign() === 0) return bound.compare(offset) <= 0 ? offset : null;
  const steps = bound.subtract(offset).divide(step);
  return offset.add(step.multiply(Rational.of(-floorDivide(-steps.numerator, steps.denominator))));
}

/** The greatest value of the lattice that is at most `bound`, `null` when there is none. */
export function roundDown(bound: Rational, { offset, step }: Lattice): Rational | null {
  if (step.sign() === 0) return bound.compare(offset) >= 0 ? offset : null;
  return offset.add(step.multiply(Rational.of(bound.subtract(offset).divide(step).floor())));
}
